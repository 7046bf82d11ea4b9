import { ofRegion } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Bedrock',
  prefix: 'bedrock',
  load: () => import('@aws-sdk/client-bedrock'),
  client: 'BedrockClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_BEDROCK_GET_MODEL_INVOCATION_LOGGING_CONFIGURATION',
      type: 'bedrock:logging-config',
      call: 'GetModelInvocationLoggingConfiguration',
      ...ofRegion,
    },
  ],
});
