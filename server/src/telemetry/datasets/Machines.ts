import type { TelemetryDataset } from '../dataset.ts';
import { mid, tags, window } from '../members.ts';

export const machines: TelemetryDataset = {
  path: 'Entities/Machines',
  description: 'Hosts that were online, by the hour.',
  members: {
    ...window,
    ...mid,
    hostname: { type: 'string', description: 'Name of the host.', optional: true },
    primaryIpAddr: { type: 'string', description: 'Its primary address.' },
    entityType: { type: 'string', description: 'Always Machine.' },
    machineTags: { ...tags.tags, optional: true },
    awsInstanceId: { type: 'string', description: 'AWS instance id of the host.', optional: true },
  },
  range: { by: 'overlap' },
  identity: ['mid', 'startTime'],
  search: { isPaged: true },
  datasources: [],
};
