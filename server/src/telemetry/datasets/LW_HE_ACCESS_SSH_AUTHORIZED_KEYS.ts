import { batchHour } from '../batch-columns.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { container, createdTime, keyFile, mid } from '../members.ts';

export const authorizedKeys: TelemetryDataset = {
  path: 'LW_HE_ACCESS_SSH_AUTHORIZED_KEYS',
  description: 'SSH keys that open machines, from files such as authorized_keys.',
  members: {
    ...createdTime,
    ...mid,
    hostname: { type: 'string', description: 'Name of the machine.', optional: true },
    ...container,
    filePath: { type: 'string', description: 'File that lists the key.' },
    sshKeyType: { type: 'string', description: 'Kind of the key: ED25519, RSA.' },
    ...keyFile,
    fingerprintOpensshSha256: { type: 'string', description: 'SHA-256 fingerprint of the key.' },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'filePath', 'fingerprintOpensshSha256'],
  datasources: [
    {
      name: 'LW_HE_ACCESS_SSH_AUTHORIZED_KEYS',
      columns: {
        ...batchHour('createdTime'),
        BATCH_ID: { stored: 'batch' },
        RECORD_CREATED_TIME: 'createdTime',
        MID: 'mid',
        HOSTNAME: 'hostname',
        IS_IN_CONTAINER: 'isInContainer',
        CONTAINER_KEY: 'containerKey',
        FILE_PATH: 'filePath',
        FILE_PERMISSIONS: 'filePermissions',
        FILE_CREATED_TIME: 'fileCreatedTime',
        FILE_MODIFIED_TIME: 'fileModifiedTime',
        FILE_ACCESSED_TIME: 'fileAccessedTime',
        OWNER_UID: 'ownerUid',
        OWNER_GID: 'ownerGid',
        SSH_KEY_TYPE: 'sshKeyType',
        FINGERPRINT_OPENSSH_MD5: 'fingerprintOpensshMd5',
        FINGERPRINT_OPENSSH_SHA256: 'fingerprintOpensshSha256',
        FINGERPRINT_RSA_MD5: 'fingerprintRsaMd5',
      },
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
