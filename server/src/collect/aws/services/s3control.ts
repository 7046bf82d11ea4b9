import { ofAccount } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'S3 Control',
  prefix: 's3control',
  iamPrefix: 's3',
  load: () => import('@aws-sdk/client-s3-control'),
  client: 'S3ControlClient',
  regions: 'once',
  reads: [
    {
      kind: 'LW_CFG_AWS_S3CONTROL_GET_PUBLIC_ACCESS_BLOCK',
      type: 's3:account-public-access-block',
      call: 'GetPublicAccessBlock',
      input: { AccountId: '{$account}' },
      permissions: ['s3:GetAccountPublicAccessBlock'],
      ...ofAccount,
    },
  ],
});
