import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const networkInterfaces: TelemetryDataset = {
  path: 'Entities/NetworkInterfaces',
  description: 'Network interfaces of hosts.',
  members: {
    ...createdTime,
    ...mid,
    name: { type: 'string', description: 'Name of the interface.' },
    hwAddr: { type: 'string', description: 'Its hardware address.' },
    ipAddr: { type: 'string', description: 'Its IPv4 or IPv6 address.' },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'name', 'ipAddr'],
  search: { isPaged: true },
  datasources: [],
};
