import { defineAwsService } from '../service.ts';

const permissions = ['apigateway:GET'];
const paging = { output: 'NextToken' };

export default defineAwsService({
  name: 'API Gateway V2',
  prefix: 'apigatewayv2',
  load: () => import('@aws-sdk/client-apigatewayv2'),
  client: 'ApiGatewayV2Client',
  regions: 'each',
  rate: { perSecond: 10 },
  reads: [
    {
      kind: 'LW_CFG_AWS_APIGATEWAYV2_GET_APIS',
      type: 'apigatewayv2:api',
      call: 'GetApis',
      paging,
      items: 'Items',
      permissions,
      id: '{ApiId}',
      arn: 'arn:{$partition}:apigateway:{$region}::/apis/{ApiId}',
      each: [
        {
          kind: 'LW_CFG_AWS_APIGATEWAYV2_GET_STAGES',
          type: 'apigatewayv2:stage',
          call: 'GetStages',
          input: { ApiId: '{ApiId}' },
          paging,
          items: 'Items',
          permissions,
          id: '{^ApiId}/{StageName}',
          arn: 'arn:{$partition}:apigateway:{$region}::/apis/{^ApiId}/stages/{StageName}',
          redact: ['StageVariables.*'],
        },
      ],
    },
  ],
});
