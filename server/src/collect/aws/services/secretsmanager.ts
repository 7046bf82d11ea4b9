import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Secrets Manager',
  prefix: 'secretsmanager',
  load: () => import('@aws-sdk/client-secrets-manager'),
  client: 'SecretsManagerClient',
  regions: 'each',
  rate: { perSecond: 100 },
  reads: [
    {
      kind: 'LW_CFG_AWS_SECRETSMANAGER_SECRETS',
      type: 'secretsmanager:secret',
      call: 'ListSecrets',
      input: { MaxResults: 100 },
      items: 'SecretList',
      id: '{Name}',
      arn: '{ARN}',
    },
  ],
});
