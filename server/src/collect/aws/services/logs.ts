import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

const arn = arnOf('logs', 'log-group:{logGroupName}');

export default defineAwsService({
  name: 'CloudWatch Logs',
  prefix: 'logs',
  load: () => import('@aws-sdk/client-cloudwatch-logs'),
  client: 'CloudWatchLogsClient',
  regions: 'each',
  rate: { perSecond: 5 },
  reads: [
    {
      kind: 'LW_CFG_AWS_LOGS',
      type: 'logs:log-group',
      call: 'DescribeLogGroups',
      input: { limit: 50 },
      items: 'logGroups',
      id: '{logGroupName}',
      arn,
    },
    {
      kind: 'LW_CFG_AWS_LOGS_DESCRIBE_METRIC_FILTERS',
      type: 'logs:metric-filter',
      call: 'DescribeMetricFilters',
      input: { limit: 50 },
      items: 'metricFilters',
      id: '{logGroupName}/{filterName}',
      // Queries join it to its log group.
      arn,
      key: `${arn}:metric-filter:{filterName}`,
    },
    {
      kind: 'LW_CFG_AWS_LOGS_RESOURCE_POLICIES',
      type: 'logs:resource-policy',
      call: 'DescribeResourcePolicies',
      paging: { output: 'nextToken' },
      items: 'resourcePolicies',
      id: '{policyName}',
      arn: arnOf('logs', 'resource-policy:{policyName}'),
      json: ['policyDocument'],
    },
  ],
});
