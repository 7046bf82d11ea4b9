import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Network Management',
  prefix: 'networkmanagement',
  group: 'compute',
  types: ['ConnectivityTest'],
});
