import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'IAM',
  prefix: 'iam',
  group: 'identity',
  types: ['Role', 'ServiceAccount', { type: 'ServiceAccountKey', redact: ['privateKeyData'] }],
});
