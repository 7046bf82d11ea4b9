import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'GKE Hub',
  prefix: 'gkehub',
  group: 'containers',
  types: ['Membership'],
});
