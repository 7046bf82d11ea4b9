import type { TelemetryDataset } from '../dataset.ts';
import { mid, window } from '../members.ts';

export const internalIPAddresses: TelemetryDataset = {
  path: 'Entities/InternalIPAddresses',
  description: 'Private addresses of hosts, by the hour.',
  members: {
    ...window,
    ...mid,
    ipAddr: { type: 'string', description: 'The address.' },
  },
  range: { by: 'overlap' },
  identity: ['mid', 'ipAddr', 'startTime'],
  search: { isPaged: true },
  datasources: [],
};
