import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const users: TelemetryDataset = {
  path: 'Entities/Users',
  description: 'Users of hosts.',
  members: {
    ...createdTime,
    ...mid,
    username: { type: 'string', description: 'Name of the user.' },
    uid: { type: 'integer', description: 'Id of the user.' },
    primaryGroupName: { type: 'string', description: 'Primary group of the user.' },
    otherGroupNames: { type: 'json', description: 'Array of the other groups.', optional: true },
    homeDir: { type: 'string', description: 'Home directory of the user.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'uid'],
  search: { isPaged: true },
  datasources: [
    {
      name: 'LW_HE_USERS',
      columns: {
        ...batchHour('createdTime'),
        RECORD_CREATED_TIME: 'createdTime',
        MID: 'mid',
        USERNAME: 'username',
        PRIMARY_GROUP_NAME: 'primaryGroupName',
        OTHER_GROUP_NAMES: 'otherGroupNames',
        HOME_DIR: 'homeDir',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
