import { defineGcpService } from '../service.ts';

export default defineGcpService({
  name: 'Data Loss Prevention',
  prefix: 'dlp',
  group: 'security',
  types: [
    // A key for pseudonyms that is not wrapped by a KMS key.
    { type: 'DeidentifyTemplate', redact: ['**.unwrapped.key'] },
    'DlpJob',
    'InspectTemplate',
    'JobTrigger',
    'StoredInfoType',
  ],
});
