import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { createdTime, mid } from '../members.ts';

export const userLogins: TelemetryDataset = {
  path: 'Activities/UserLogins',
  description: 'Logins to and logoffs from hosts, one record each.',
  members: {
    ...createdTime,
    activityTime: { type: 'time', description: 'When it happened.' },
    activityType: { type: 'string', description: 'LOGIN or LOGOFF.' },
    ...mid,
    username: { type: 'string', description: 'User of the operating system.' },
    uid: { type: 'integer', description: 'Id of the user; an unknown user has none.', optional: true },
    sourceIpAddr: {
      type: 'string',
      description: 'Source address of the login; absent for a console login.',
      optional: true,
    },
    gid: { type: 'integer', description: 'Id of the group of the user.', optional: true },
    hostname: { type: 'string', description: 'Name of the source host.', optional: true },
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
  datasources: [
    {
      name: 'LW_HA_USER_LOGINS',
      description: 'Sessions of users on hosts, each from its login to its logoff.',
      columns: {
        ...batchHour('createdTime'),
        RECORD_CREATED_TIME: 'createdTime',
        LOGIN_TIME: {
          from: { side: 'opening', member: 'activityTime' },
          description: 'When the user logged in, where that was seen.',
        },
        LOGOFF_TIME: {
          from: { side: 'closing', member: 'activityTime' },
          description: 'When the user logged off, once that was seen.',
        },
        EVENT_TYPE: { from: 'activityType', description: 'LOGIN, or LOGOFF of a login that was not seen.' },
        MID: 'mid',
        USERNAME: 'username',
        HOSTNAME: 'hostname',
        IP_ADDR: 'sourceIpAddr',
        TTY: 'tty',
        UID: 'uid',
        GID: 'gid',
      },
      time: ['RECORD_CREATED_TIME'],
      pairs: {
        by: 'activityType',
        opening: 'LOGIN',
        closing: 'LOGOFF',
        agreeOn: ['mid', 'username', 'tty'],
        order: 'activityTime',
      },
    },
    {
      name: 'LW_HA_SSH_LOGINS',
      description: 'Remote logins to hosts.',
      columns: {
        ...batchHour('createdTime'),
        BATCH_ID: { stored: 'batch' },
        RECORD_CREATED_TIME: 'createdTime',
        LOGIN_TIME: { from: 'activityTime', description: 'When the user logged in.' },
        MID: 'mid',
        USERNAME: 'username',
        IP_ADDR: 'sourceIpAddr',
        HOSTNAME: 'hostname',
        SSH_KEY_TYPE: 'sshKeyType',
        FINGERPRINT_OPENSSH_MD5: 'fingerprintOpensshMd5',
        FINGERPRINT_OPENSSH_SHA256: 'fingerprintOpensshSha256',
      },
      time: ['RECORD_CREATED_TIME'],
      where: [{ member: 'activityType', is: 'LOGIN' }, { member: 'sourceIpAddr' }],
    },
  ],
};
