import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid, tags } from '../members.ts';

export const machineDetails: TelemetryDataset = {
  path: 'Entities/MachineDetails',
  description: 'What machines are: operating system, kernel, place in the cloud.',
  members: {
    ...createdTime,
    ...mid,
    hostname: { type: 'string', description: 'Name of the machine.' },
    domain: { type: 'string', description: 'Its domain, (none) without one.' },
    os: { type: 'string', description: 'Distribution or operating system.' },
    osVersion: { type: 'string', description: 'Version of it.' },
    kernel: { type: 'string', description: 'Name of the kernel.' },
    kernelRelease: { type: 'string', description: 'Release of the kernel.' },
    kernelVersion: { type: 'string', description: 'Build of the kernel.' },
    awsInstanceId: { type: 'string', description: 'What AWS calls the machine.', optional: true },
    awsZone: { type: 'string', description: 'AWS availability zone.', optional: true },
    tags: { ...tags.tags, optional: true },
    osDesc: { type: 'string', description: 'Operating system in full.', optional: true },
    cpuInfo: { type: 'json', description: 'Its processors.', optional: true },
    memoryInfo: { type: 'json', description: 'Its memory.', optional: true },
    machineId: { type: 'json', description: 'Ids by which the machine is known.', optional: true },
    lastBootTime: { type: 'time', description: 'When it was last started.', optional: true },
    lastBootReason: { type: 'string', description: 'Why it was.', optional: true },
    defaultRouter: { type: 'string', description: 'Address of its default router.', optional: true },
    kernelArgs: { type: 'string', description: 'Command line of the kernel.', optional: true },
    route: { type: 'json', description: 'Its routes.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid'],
  search: { isPaged: true },
  datasources: ['LW_HE_MACHINES'],
};
