import { defineAwsService } from '../service.ts';

/** Origins recognize CloudFront by secret headers. */
const headers = 'Origins.Items.*.CustomHeaders.Items.*.HeaderValue';

export default defineAwsService({
  name: 'CloudFront',
  prefix: 'cloudfront',
  load: () => import('@aws-sdk/client-cloudfront'),
  client: 'CloudFrontClient',
  regions: 'once',
  reads: [
    {
      kind: 'LW_CFG_AWS_CLOUDFRONT',
      type: 'cloudfront:distribution',
      call: 'ListDistributions',
      items: 'DistributionList.Items',
      id: '{Id}',
      arn: '{ARN}',
      redact: [headers],
      each: [
        {
          kind: 'LW_CFG_AWS_CLOUDFRONT_GET_DISTRIBUTION_CONFIG',
          call: 'GetDistributionConfig',
          input: { Id: '{Id}' },
          config: 'DistributionConfig',
          redact: [headers],
        },
      ],
    },
  ],
});
