import { batchHour } from './batch-columns.ts';

/** Columns of findings in a file on a host. */
export const inFile = {
  ...batchHour('createdTime'),
  BATCH_ID: { stored: 'batch' },
  RECORD_CREATED_TIME: 'createdTime',
  MID: 'mid',
  HOSTNAME: 'hostname',
  IS_IN_CONTAINER: 'isInContainer',
  CONTAINER_KEY: 'containerKey',
  FILE_PATH: 'filePath',
} as const;

/** Columns of an SSH key in a file. */
export const ofKeyInFile = {
  ...inFile,
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
} as const;
