import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Cloud SQL',
  prefix: 'sqladmin',
  group: 'data',
  types: [
    'BackupRun',
    {
      type: 'Instance',
      labels: 'settings.userLabels',
      redact: ['rootPassword', '**.password', '**.clientKey'],
    },
  ],
});
