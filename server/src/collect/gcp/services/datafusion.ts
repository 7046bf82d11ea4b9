import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Data Fusion',
  prefix: 'datafusion',
  group: 'data',
  types: ['Instance'],
});
