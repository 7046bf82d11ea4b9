import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud Monitoring',
  prefix: 'monitoring',
  group: 'security',
  types: ['AlertPolicy'],
});
