import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

/** Options of log drivers that are no secrets; others are tokens of log services, for example. */
const logOptions = [
  ...['awslogs-group', 'awslogs-region', 'awslogs-stream-prefix', 'awslogs-create-group', 'mode'],
  ...['max-buffer-size', 'awslogs-multiline-pattern', 'awslogs-datetime-format'],
];

export default defineAwsService({
  name: 'ECS',
  prefix: 'ecs',
  load: () => import('@aws-sdk/client-ecs'),
  client: 'ECSClient',
  regions: 'each',
  // docs.aws.amazon.com/AmazonECS/latest/APIReference/request-throttling.html
  rate: { perSecond: 20 },
  reads: [
    {
      kind: 'LW_CFG_AWS_ECS_TASK_DEFINITIONS',
      type: 'ecs:task-definition',
      call: 'ListTaskDefinitions',
      items: 'taskDefinitionArns',
      id: '{}',
    },
    {
      kind: 'LW_CFG_AWS_ECS_TASK_DEFINITION_FAMILIES',
      type: 'ecs:task-definition-family',
      call: 'ListTaskDefinitionFamilies',
      input: { status: 'ACTIVE' },
      items: 'families',
      id: '{}',
      arn: arnOf('ecs', 'task-definition/{}'),
      each: [
        {
          // Of each family the latest revision: families have thousands of old ones.
          kind: 'LW_CFG_AWS_ECS_DESCRIBE_TASK_DEFINITION',
          type: 'ecs:task-definition',
          call: 'DescribeTaskDefinition',
          input: { taskDefinition: '{}', include: ['TAGS'] },
          id: '{taskDefinition.taskDefinitionArn}',
          key: arnOf('ecs', 'task-definition/{^}'),
          config: 'taskDefinition',
          redact: [
            'containerDefinitions.*.environment.*.value',
            `containerDefinitions.*.logConfiguration.options.*[!${logOptions.join('|')}]`,
            'containerDefinitions.*.firelensConfiguration.options.*',
          ],
        },
      ],
    },
  ],
});
