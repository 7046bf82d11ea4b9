import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Service Directory',
  prefix: 'servicedirectory',
  group: 'compute',
  types: ['Namespace'],
});
