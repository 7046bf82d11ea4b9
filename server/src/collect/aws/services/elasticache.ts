import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'ElastiCache',
  prefix: 'elasticache',
  load: () => import('@aws-sdk/client-elasticache'),
  client: 'ElastiCacheClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_ELASTICACHE_DESCRIBE_REPLICATION_GROUPS',
      type: 'elasticache:replication-group',
      call: 'DescribeReplicationGroups',
      items: 'ReplicationGroups',
      id: '{ReplicationGroupId}',
      arn: '{ARN}',
    },
  ],
});
