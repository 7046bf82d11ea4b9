import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Anthos',
  prefix: 'anthos',
  group: 'containers',
  types: ['ConnectedCluster'],
});
