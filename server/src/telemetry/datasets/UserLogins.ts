import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const userLogins: TelemetryDataset = {
  path: 'Activities/UserLogins',
  description: 'Users that logged in to machines and off again, a record for each.',
  members: {
    ...createdTime,
    activityTime: { type: 'time', description: 'When it happened.' },
    activityType: { type: 'string', description: 'LOGIN or LOGOFF.' },
    ...mid,
    username: { type: 'string', description: 'User of the operating system.' },
    uid: { type: 'integer', description: 'Id of the user; an unknown user has none.', optional: true },
    sourceIpAddr: {
      type: 'string',
      description: 'Address that the user came from; a login at the console has none.',
      optional: true,
    },
    gid: { type: 'integer', description: 'Id of the group of the user.', optional: true },
    hostname: { type: 'string', description: 'Name of the host that the user came from.', optional: true },
    tty: { type: 'string', description: 'Terminal.', optional: true },
    sshKeyType: { type: 'string', description: 'Kind of the SSH key that was used.', optional: true },
    fingerprintOpensshMd5: { type: 'string', description: 'MD5 fingerprint of that key.', optional: true },
    fingerprintOpensshSha256: {
      type: 'string',
      description: 'SHA-256 fingerprint of that key.',
      optional: true,
    },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'username', 'activityType', 'activityTime'],
  search: { isPaged: true },
  datasources: ['LW_HA_USER_LOGINS', 'LW_HA_SSH_LOGINS'],
};
