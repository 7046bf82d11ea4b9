import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Step Functions',
  prefix: 'stepfunctions',
  iamPrefix: 'states',
  load: () => import('@aws-sdk/client-sfn'),
  client: 'SFNClient',
  regions: 'each',
  // docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html
  rate: { perSecond: 5 },
  reads: [
    {
      kind: 'LW_CFG_AWS_STEPFUNCTIONS_STATE_MACHINES',
      type: 'states:state-machine',
      call: 'ListStateMachines',
      input: { maxResults: 1_000 },
      items: 'stateMachines',
      id: '{name}',
      arn: '{stateMachineArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_STEPFUNCTIONS_DESCRIBE_STATE_MACHINE',
          call: 'DescribeStateMachine',
          input: { stateMachineArn: '{stateMachineArn}' },
          // A program, with headers and parameters of its requests.
          redact: ['definition'],
        },
      ],
    },
  ],
});
