import type { TelemetryDataset } from '../dataset.ts';
import { createdTime } from '../members.ts';

export const commandLines: TelemetryDataset = {
  path: 'Entities/CommandLines',
  description: 'Command lines of processes.',
  members: {
    ...createdTime,
    cmdlineHash: { type: 'string', description: 'MD5 of the command line, in hexadecimal.' },
    cmdline: { type: 'string', description: 'The complete command line.' },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['cmdlineHash'],
  search: { isPaged: true },
  datasources: [],
};
