import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Service Usage',
  prefix: 'serviceusage',
  group: 'identity',
  types: ['Service'],
});
