import { defineAwsService } from '../service.ts';

const named = { FunctionName: '{FunctionName}' };

const functions = {
  type: 'lambda:function',
  call: 'ListFunctions',
  items: 'Functions',
  id: '{FunctionName}',
  arn: '{FunctionArn}',
} as const;

export default defineAwsService({
  name: 'Lambda',
  prefix: 'lambda',
  load: () => import('@aws-sdk/client-lambda'),
  client: 'LambdaClient',
  regions: 'each',
  // docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  rate: { perSecond: 15 },
  reads: [
    {
      kind: 'LW_CFG_AWS_LAMBDA',
      ...functions,
      redact: ['Environment.Variables.*', 'Environment.Error.Message'],
    },
    {
      // On its own: the quota is low, and the array of functions must not fail with these calls.
      ...functions,
      each: [
        { kind: 'LW_CFG_AWS_LAMBDA_GET_POLICY', call: 'GetPolicy', input: named, json: ['Policy'] },
        {
          kind: 'LW_CFG_AWS_LAMBDA_FUNCTION_URL_CONFIGS',
          type: 'lambda:function-url',
          call: 'ListFunctionUrlConfigs',
          input: named,
          items: 'FunctionUrlConfigs',
          id: '{FunctionArn}',
        },
      ],
    },
  ],
});
