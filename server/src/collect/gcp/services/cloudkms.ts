import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud KMS',
  prefix: 'cloudkms',
  group: 'security',
  types: ['CryptoKey', 'CryptoKeyVersion', 'EkmConnection', 'ImportJob', 'KeyRing'],
});
