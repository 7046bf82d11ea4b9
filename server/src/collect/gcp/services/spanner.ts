import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Spanner',
  prefix: 'spanner',
  group: 'data',
  types: ['Backup', 'Database', 'Instance'],
});
