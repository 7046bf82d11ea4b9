import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const users: TelemetryDataset = {
  path: 'Entities/Users',
  description: 'Users of machines.',
  members: {
    ...createdTime,
    ...mid,
    username: { type: 'string', description: 'Name of the user.' },
    uid: { type: 'integer', description: 'Id of the user.' },
    primaryGroupName: { type: 'string', description: 'Foremost group of the user.' },
    otherGroupNames: { type: 'json', description: 'List of the other groups.', optional: true },
    homeDir: { type: 'string', description: 'Home folder of the user.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'uid'],
  search: { isPaged: true },
  datasources: ['LW_HE_USERS'],
};
