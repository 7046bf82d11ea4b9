import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'MSK',
  prefix: 'kafka',
  load: () => import('@aws-sdk/client-kafka'),
  client: 'KafkaClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_KAFKA_CLUSTERS_V2',
      type: 'kafka:cluster',
      call: 'ListClustersV2',
      items: 'ClusterInfoList',
      id: '{ClusterName}',
      arn: '{ClusterArn}',
    },
  ],
});
