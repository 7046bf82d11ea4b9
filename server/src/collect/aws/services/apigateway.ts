import { defineAwsService } from '../service.ts';

const permissions = ['apigateway:GET'];

export default defineAwsService({
  name: 'API Gateway',
  prefix: 'apigateway',
  load: () => import('@aws-sdk/client-api-gateway'),
  client: 'APIGatewayClient',
  regions: 'each',
  rate: { perSecond: 10 },
  reads: [
    {
      kind: 'LW_CFG_AWS_APIGATEWAY_GET_REST_APIS',
      type: 'apigateway:rest-api',
      call: 'GetRestApis',
      input: { limit: 500 },
      items: 'items',
      permissions,
      id: '{id}',
      arn: 'arn:{$partition}:apigateway:{$region}::/restapis/{id}',
      json: ['policy'],
      each: [
        {
          kind: 'LW_CFG_AWS_APIGATEWAY_GET_STAGES',
          type: 'apigateway:stage',
          call: 'GetStages',
          input: { restApiId: '{id}' },
          items: 'item',
          permissions,
          id: '{^id}/{stageName}',
          arn: 'arn:{$partition}:apigateway:{$region}::/restapis/{^id}/stages/{stageName}',
          redact: ['variables.*'],
        },
      ],
    },
    {
      kind: 'LW_CFG_AWS_APIGATEWAY_GET_DOMAIN_NAMES',
      type: 'apigateway:domain-name',
      call: 'GetDomainNames',
      input: { limit: 500 },
      items: 'items',
      permissions,
      id: '{domainName}',
      arn: 'arn:{$partition}:apigateway:{$region}::/domainnames/{domainName}',
    },
  ],
});
