import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'OpenSearch',
  prefix: 'opensearch',
  iamPrefix: 'es',
  load: () => import('@aws-sdk/client-opensearch'),
  client: 'OpenSearchClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_OPENSEARCH',
      type: 'es:domain',
      call: 'ListDomainNames',
      items: 'DomainNames',
      id: '{DomainName}',
      arn: arnOf('es', 'domain/{DomainName}'),
      each: [
        {
          kind: 'LW_CFG_AWS_OPENSEARCH_DESCRIBE_DOMAIN',
          call: 'DescribeDomain',
          input: { DomainName: '{DomainName}' },
          config: 'DomainStatus',
          json: ['AccessPolicies'],
        },
      ],
    },
  ],
});
