import { defineAwsService } from '../service.ts';

const key = { KeyId: '{KeyId}' };

export default defineAwsService({
  name: 'KMS',
  prefix: 'kms',
  load: () => import('@aws-sdk/client-kms'),
  client: 'KMSClient',
  regions: 'each',
  // The lowest quota of these calls: docs.aws.amazon.com/kms/latest/developerguide/requests-per-second.html
  rate: { perSecond: 500 },
  reads: [
    {
      kind: 'LW_CFG_AWS_KMS_KEYS',
      type: 'kms:key',
      call: 'ListKeys',
      input: { Limit: 1_000 },
      items: 'Keys',
      id: '{KeyId}',
      arn: '{KeyArn}',
      each: [
        { kind: 'LW_CFG_AWS_KMS_KEYS_DESCRIBE_KEY', call: 'DescribeKey', input: key },
        {
          kind: 'LW_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS',
          call: 'GetKeyRotationStatus',
          input: key,
          // Asymmetric keys are not rotated, nor are keys that are being deleted.
          none: ['UnsupportedOperationException', 'KMSInvalidStateException'],
        },
        {
          kind: 'LW_CFG_AWS_KMS_KEYS_GET_POLICY',
          call: 'GetKeyPolicy',
          input: { ...key, PolicyName: 'default' },
          json: ['Policy'],
        },
      ],
    },
  ],
});
