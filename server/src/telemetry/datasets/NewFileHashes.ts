import type { TelemetryDataset } from '../dataset.ts';
import { window } from '../members.ts';

export const newFileHashes: TelemetryDataset = {
  path: 'Entities/NewFileHashes',
  description: 'File contents seen for the first time, by the hour.',
  members: {
    ...window,
    filedataHash: { type: 'string', description: 'SHA-256 of the content, in hexadecimal.' },
  },
  range: { by: 'overlap' },
  identity: ['filedataHash', 'startTime'],
  search: { isPaged: true },
  datasources: [],
};
