import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'MSK Connect',
  prefix: 'kafkaconnect',
  load: () => import('@aws-sdk/client-kafkaconnect'),
  client: 'KafkaConnectClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_KAFKACONNECT_CONNECTORS',
      type: 'kafkaconnect:connector',
      call: 'ListConnectors',
      items: 'connectors',
      id: '{connectorName}',
      arn: '{connectorArn}',
    },
  ],
});
