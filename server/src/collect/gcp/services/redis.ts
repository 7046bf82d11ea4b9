import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Memorystore for Redis',
  prefix: 'redis',
  group: 'data',
  types: [{ type: 'Instance', redact: ['authString'] }],
});
