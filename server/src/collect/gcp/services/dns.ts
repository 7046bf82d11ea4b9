import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud DNS',
  prefix: 'dns',
  group: 'compute',
  types: ['ManagedZone', 'Policy'],
});
