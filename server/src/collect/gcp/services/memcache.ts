import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Memorystore for Memcached',
  prefix: 'memcache',
  group: 'data',
  types: ['Instance'],
});
