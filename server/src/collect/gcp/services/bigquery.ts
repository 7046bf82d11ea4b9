import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'BigQuery',
  prefix: 'bigquery',
  group: 'data',
  types: ['Dataset', 'Model', 'Table'],
});
