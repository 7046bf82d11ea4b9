import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'CloudWatch',
  prefix: 'cloudwatch',
  load: () => import('@aws-sdk/client-cloudwatch'),
  client: 'CloudWatchClient',
  regions: 'each',
  rate: { perSecond: 9 },
  reads: [
    {
      kind: 'LW_CFG_AWS_CLOUDWATCH',
      type: 'cloudwatch:alarm',
      call: 'DescribeAlarms',
      input: { MaxRecords: 100 },
      items: 'MetricAlarms',
      id: '{AlarmName}',
      arn: '{AlarmArn}',
    },
  ],
});
