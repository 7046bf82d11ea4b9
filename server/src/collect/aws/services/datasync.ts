import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'DataSync',
  prefix: 'datasync',
  load: () => import('@aws-sdk/client-datasync'),
  client: 'DataSyncClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_DATASYNC_TASKS',
      type: 'datasync:task',
      call: 'ListTasks',
      input: { MaxResults: 100 },
      items: 'Tasks',
      id: '{TaskArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_DATASYNC_DESCRIBE_TASK',
          call: 'DescribeTask',
          input: { TaskArn: '{TaskArn}' },
        },
      ],
    },
  ],
});
