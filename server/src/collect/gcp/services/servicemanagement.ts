import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Service Management',
  prefix: 'servicemanagement',
  group: 'identity',
  types: ['ManagedService'],
});
