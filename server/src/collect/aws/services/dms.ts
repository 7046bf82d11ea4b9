import { defineAwsService } from '../service.ts';

/** Settings of the engines have passwords, in members that are named for their engine. */
const secrets = [
  ...['Password', 'AuthPassword', 'AsmPassword', 'SaslPassword', 'SslClientKeyPassword'],
  ...['SecurityDbEncryption', 'CertificatePassword', 'KafkaPassword'],
];

export default defineAwsService({
  name: 'DMS',
  prefix: 'dms',
  load: () => import('@aws-sdk/client-database-migration-service'),
  client: 'DatabaseMigrationServiceClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_DMS_REPLICATION_INSTANCES',
      type: 'dms:replication-instance',
      call: 'DescribeReplicationInstances',
      items: 'ReplicationInstances',
      id: '{ReplicationInstanceIdentifier}',
      arn: '{ReplicationInstanceArn}',
    },
    {
      kind: 'LW_CFG_AWS_DMS_ENDPOINTS',
      type: 'dms:endpoint',
      call: 'DescribeEndpoints',
      items: 'Endpoints',
      id: '{EndpointIdentifier}',
      arn: '{EndpointArn}',
      redact: ['ExtraConnectionAttributes', 'Password', ...secrets.map((secret) => `*.${secret}`)],
      urls: ['MongoDbSettings.ServerName', 'ElasticsearchSettings.EndpointUri'],
    },
    {
      kind: 'LW_CFG_AWS_DMS_REPLICATION_TASKS',
      type: 'dms:replication-task',
      call: 'DescribeReplicationTasks',
      items: 'ReplicationTasks',
      id: '{ReplicationTaskIdentifier}',
      arn: '{ReplicationTaskArn}',
      json: ['ReplicationTaskSettings', 'TableMappings'],
    },
  ],
});
