import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { mid } from '../members.ts';

export const windowsRegistry: TelemetryDataset = {
  path: 'LW_HA_WIN_REGISTRY',
  description: 'Changes of the Windows registry of hosts.',
  members: {
    modifiedTime: { type: 'time', description: 'When it was changed.' },
    ...mid,
    keyPath: { type: 'string', description: 'Key that was changed.' },
    operation: { type: 'string', description: 'Operation on the key or value.' },
    valueName: { type: 'string', description: 'Value of the key that was changed.', optional: true },
    valueData: { type: 'string', description: 'The new value.', optional: true },
    valueDataType: { type: 'string', description: 'Kind of the value: REG_SZ.', optional: true },
    oldName: { type: 'string', description: 'Name before it was renamed.', optional: true },
    pid: { type: 'integer', description: 'Process that made the change.', optional: true },
    pidHash: { type: 'integer', description: 'Key of the process on the host.', optional: true },
    exePath: { type: 'string', description: 'Program of the process.', optional: true },
    username: { type: 'string', description: 'User of the process.', optional: true },
    hostname: { type: 'string', description: 'Name of the host.', optional: true },
  },
  range: { by: 'instant', member: 'modifiedTime' },
  identity: ['mid', 'keyPath', 'operation', 'modifiedTime'],
  datasources: [
    {
      name: 'LW_HA_WIN_REGISTRY',
      columns: {
        ...batchHour('modifiedTime'),
        MID: 'mid',
        KEY_PATH: 'keyPath',
        VALUE_NAME: 'valueName',
        VALUE_DATA: 'valueData',
        VALUE_DATA_TYPE: 'valueDataType',
        OLD_NAME: 'oldName',
        MODIFIED_TIME: 'modifiedTime',
        OPERATION: 'operation',
        PID: 'pid',
        PID_HASH: 'pidHash',
        EXE_PATH: 'exePath',
        USERNAME: 'username',
        HOSTNAME: 'hostname',
      },
      time: ['MODIFIED_TIME'],
    },
  ],
};
