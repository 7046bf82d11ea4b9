import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Filestore',
  prefix: 'file',
  group: 'data',
  types: ['Backup', 'Instance'],
});
