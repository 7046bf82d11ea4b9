import { ofRegion } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

/** The service's way to say that it is off. */
const off = ['InvalidAccessException'];

export default defineAwsService({
  name: 'SecurityHub',
  prefix: 'securityhub',
  load: () => import('@aws-sdk/client-securityhub'),
  client: 'SecurityHubClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_SECURITYHUB_DESCRIBE_HUB',
      type: 'securityhub:hub',
      call: 'DescribeHub',
      none: off,
      ...ofRegion,
    },
    {
      kind: 'LW_CFG_AWS_SECURITYHUB_GET_ENABLED_STANDARDS',
      type: 'securityhub:standard',
      call: 'GetEnabledStandards',
      input: { MaxResults: 100 },
      none: off,
      items: 'StandardsSubscriptions',
      id: '{StandardsSubscriptionArn}',
    },
    {
      kind: 'LW_CFG_AWS_SECURITYHUB_ENABLED_PRODUCTS_FOR_IMPORT',
      type: 'securityhub:product',
      call: 'ListEnabledProductsForImport',
      input: { MaxResults: 100 },
      none: off,
      items: 'ProductSubscriptions',
      id: '{}',
    },
  ],
});
