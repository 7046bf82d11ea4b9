import { defineGcpService } from '../service.ts';

const redact = [
  // First generation.
  'environmentVariables.*',
  'buildEnvironmentVariables.*',
  // A signed address.
  'sourceUploadUrl',
  // Second generation.
  'serviceConfig.environmentVariables.*',
  'buildConfig.environmentVariables.*',
];
const kind = 'LW_CFG_GCP_CLOUDFUNCTIONS_CLOUDFUNCTION';

export default defineGcpService({
  name: 'Cloud Functions',
  prefix: 'cloudfunctions',
  group: 'containers',
  types: [
    { type: 'CloudFunction', kind, redact },
    { type: 'Function', kind, redact },
  ],
});
