import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Route 53',
  prefix: 'route53',
  load: () => import('@aws-sdk/client-route-53'),
  client: 'Route53Client',
  regions: 'once',
  // docs.aws.amazon.com/Route53/latest/DeveloperGuide/DNSLimitations.html
  rate: { perSecond: 5 },
  reads: [
    {
      kind: 'LW_CFG_AWS_ROUTE53_HOSTED_ZONES',
      type: 'route53:hosted-zone',
      call: 'ListHostedZones',
      items: 'HostedZones',
      id: '{Id}',
      arn: 'arn:{$partition}:route53::{$account}:{Id}',
    },
    {
      kind: 'LW_CFG_AWS_ROUTE53_QUERY_LOGGING_CONFIGS',
      type: 'route53:query-logging-config',
      call: 'ListQueryLoggingConfigs',
      items: 'QueryLoggingConfigs',
      id: '{Id}',
      arn: 'arn:{$partition}:route53::{$account}:queryloggingconfig/{Id}',
    },
  ],
});
