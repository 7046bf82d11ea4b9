import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Network Connectivity',
  prefix: 'networkconnectivity',
  group: 'compute',
  types: ['Hub', 'Spoke'],
});
