import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Dataproc Metastore',
  prefix: 'metastore',
  group: 'data',
  types: ['Backup', 'MetadataImport', { type: 'Service', redact: ['hiveMetastoreConfig.configOverrides.*'] }],
});
