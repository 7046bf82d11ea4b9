import type { TelemetryDataset } from '../dataset.ts';
import { ofKeyInFile } from '../file-columns.ts';
import { container, createdTime, keyFile, mid } from '../members.ts';

export const authorizedKeys: TelemetryDataset = {
  path: 'LW_HE_ACCESS_SSH_AUTHORIZED_KEYS',
  description: 'SSH keys authorized on hosts, from files such as authorized_keys.',
  members: {
    ...createdTime,
    ...mid,
    hostname: { type: 'string', description: 'Name of the host.', optional: true },
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
      columns: ofKeyInFile,
      time: ['RECORD_CREATED_TIME'],
    },
  ],
};
