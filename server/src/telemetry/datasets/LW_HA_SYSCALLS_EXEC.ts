import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { container, systemCall } from '../members.ts';

export const syscallsExec: TelemetryDataset = {
  path: 'LW_HA_SYSCALLS_EXEC',
  description: 'Programs started, as observed in the kernel.',
  members: {
    ...systemCall,
    exePath: { type: 'string', description: 'Program that was started.' },
    cmdline: { type: 'string', description: 'The complete command line.', optional: true },
    parentExePath: { type: 'string', description: 'Program of the parent.', optional: true },
    isInContainer: container.isInContainer,
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'pid', 'exePath', 'createdTime'],
  datasources: [
    {
      name: 'LW_HA_SYSCALLS_EXEC',
      columns: {
        ...batchHour('createdTime'),
        BATCH_ID: { stored: 'batch' },
        RECORD_CREATED_TIME: 'createdTime',
        MID: 'mid',
        EXE_PATH: 'exePath',
        PID: 'pid',
        PID_HASH: 'pidHash',
        PPID: 'ppid',
        PPID_HASH: 'ppidHash',
        CMDLINE: 'cmdline',
        UID: 'uid',
        GID: 'gid',
        COUNT: 'count',
        OS: 'os',
        PARENT_EXE_PATH: 'parentExePath',
        IS_IN_CONTAINER: 'isInContainer',
      },
      time: ['RECORD_CREATED_TIME'],
    },
    {
      name: 'LW_HE_SYSCALLS_PROCESSES',
      description: 'Processes started, as observed in the kernel.',
      columns: {
        ...batchHour('createdTime'),
        BATCH_ID: { stored: 'batch' },
        RECORD_CREATED_TIME: 'createdTime',
        PROCESS_START_TIME: { from: 'createdTime', description: 'When the program was started.' },
        MID: 'mid',
        PID_HASH: 'pidHash',
        PID: 'pid',
        PPID_HASH: 'ppidHash',
        PPID: 'ppid',
        UID: 'uid',
        GID: 'gid',
        EXE_PATH: 'exePath',
        CMDLINE: 'cmdline',
        PEXE_PATH: 'parentExePath',
        OS: 'os',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
