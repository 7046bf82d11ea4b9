import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'MQ',
  prefix: 'mq',
  load: () => import('@aws-sdk/client-mq'),
  client: 'MqClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_MQ_BROKERS',
      type: 'mq:broker',
      call: 'ListBrokers',
      input: { MaxResults: 100 },
      items: 'BrokerSummaries',
      id: '{BrokerId}',
      arn: '{BrokerArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_MQ_DESCRIBE_BROKER',
          call: 'DescribeBroker',
          input: { BrokerId: '{BrokerId}' },
          redact: ['*.ServiceAccountPassword'],
        },
      ],
    },
  ],
});
