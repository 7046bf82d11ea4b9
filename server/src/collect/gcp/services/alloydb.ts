import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'AlloyDB',
  prefix: 'alloydb',
  group: 'data',
  types: [{ type: 'Instance', hasPolicy: false }],
});
