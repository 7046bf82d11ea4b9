import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Database Migration',
  prefix: 'datamigration',
  group: 'data',
  types: [
    {
      type: 'ConnectionProfile',
      redact: ['**.password', '**.clientKey', '**.privateKey', '**.rootPassword'],
    },
    'MigrationJob',
  ],
});
