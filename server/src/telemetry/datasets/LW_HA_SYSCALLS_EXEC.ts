import type { TelemetryDataset } from '../dataset.ts';
import { container, systemCall } from '../members.ts';

export const syscallsExec: TelemetryDataset = {
  path: 'LW_HA_SYSCALLS_EXEC',
  description: 'Programs that were started, as the kernel saw it.',
  members: {
    ...systemCall,
    exePath: { type: 'string', description: 'Program that was started.' },
    cmdline: { type: 'string', description: 'The whole command line.', optional: true },
    parentExePath: { type: 'string', description: 'Program of the parent.', optional: true },
    isInContainer: container.isInContainer,
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'pid', 'exePath', 'createdTime'],
  datasources: ['LW_HA_SYSCALLS_EXEC'],
};
