import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

const table = { TableName: '{}' };

export default defineAwsService({
  name: 'DynamoDB',
  prefix: 'dynamodb',
  load: () => import('@aws-sdk/client-dynamodb'),
  client: 'DynamoDBClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_DYNAMODB_TABLES',
      type: 'dynamodb:table',
      call: 'ListTables',
      items: 'TableNames',
      id: '{}',
      arn: arnOf('dynamodb', 'table/{}'),
      each: [
        {
          kind: 'LW_CFG_AWS_DYNAMODB_TABLES_DESCRIBE_TABLE',
          call: 'DescribeTable',
          input: table,
          config: 'Table',
        },
        {
          kind: 'LW_CFG_AWS_DYNAMODB_DESCRIBE_CONTINUOUS_BACKUPS',
          call: 'DescribeContinuousBackups',
          input: table,
          config: 'ContinuousBackupsDescription',
        },
      ],
    },
  ],
});
