import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Bigtable',
  prefix: 'bigtableadmin',
  group: 'data',
  types: ['AppProfile', 'Backup', 'Cluster', 'Instance', 'Table'],
});
