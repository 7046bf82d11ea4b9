import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { systemCall } from '../members.ts';

export const syscallsFile: TelemetryDataset = {
  path: 'LW_HA_SYSCALLS_FILE',
  description: 'Operations on watched files, as observed in the kernel.',
  members: {
    ...systemCall,
    targetType: {
      type: 'string',
      description: 'Type of the affected object: a file, a directory.',
      optional: true,
    },
    targetOp: { type: 'string', description: 'Operation: create, modify.' },
    targetPath: { type: 'string', description: 'Path of the affected file.' },
    watchPath: { type: 'string', description: 'Watched path that covers it.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'targetPath', 'targetOp', 'createdTime'],
  datasources: [
    {
      name: 'LW_HA_SYSCALLS_FILE',
      columns: {
        ...batchHour('createdTime'),
        BATCH_ID: { stored: 'batch' },
        RECORD_CREATED_TIME: 'createdTime',
        MID: 'mid',
        TARGET_TYPE: 'targetType',
        TARGET_OP: 'targetOp',
        TARGET_PATH: 'targetPath',
        WATCH_PATH: 'watchPath',
        PID: 'pid',
        PID_HASH: 'pidHash',
        PPID: 'ppid',
        PPID_HASH: 'ppidHash',
        UID: 'uid',
        GID: 'gid',
        COUNT: 'count',
        OS: 'os',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
