import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Dataplex',
  prefix: 'dataplex',
  group: 'data',
  types: ['Asset', 'Lake', 'Task', 'Zone'],
});
