import type { TelemetryDataset } from '../dataset.ts';
import { inFile, ofKeyInFile } from '../file-columns.ts';
import { container, createdTime, keyFile, mid } from '../members.ts';

export const secrets: TelemetryDataset = {
  path: 'LW_HE_SECRETS_ALL',
  description: 'Secrets stored in files on hosts: location and type, never the secret itself.',
  members: {
    ...createdTime,
    ...mid,
    hostname: { type: 'string', description: 'Name of the host.', optional: true },
    ...container,
    filePath: { type: 'string', description: 'File that holds the secret.' },
    secretType: { type: 'string', description: 'Type of the secret: an SSH private key, an access key.' },
    secretMetadata: { type: 'json', description: 'Further properties.', optional: true },
    sshKeyType: {
      type: 'string',
      description: 'Kind of an SSH private key; other secrets have none.',
      optional: true,
    },
    ...keyFile,
    fingerprintPkcs8Sha1: { type: 'string', description: 'SHA-1 of the key as PKCS 8.', optional: true },
  },
  range: { by: 'instant', member: 'createdTime' },
  identity: ['mid', 'filePath', 'secretType'],
  datasources: [
    {
      name: 'LW_HE_SECRETS_ALL',
      columns: { ...inFile, SECRET_TYPE: 'secretType', SECRET_METADATA: 'secretMetadata' },
      time: ['RECORD_CREATED_TIME'],
    },
    {
      name: 'LW_HE_SECRETS_SSH_PRIVATE_KEYS',
      description: 'SSH private keys among the secrets stored in files on hosts.',
      columns: { ...ofKeyInFile, FINGERPRINT_PKCS8_SHA1: 'fingerprintPkcs8Sha1' },
      time: ['RECORD_CREATED_TIME'],
      where: [{ member: 'sshKeyType' }],
    },
  ],
};
