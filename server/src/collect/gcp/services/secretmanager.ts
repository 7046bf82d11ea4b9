import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Secret Manager',
  prefix: 'secretmanager',
  group: 'security',
  types: ['Secret', { type: 'SecretVersion', redact: ['payload'] }],
});
