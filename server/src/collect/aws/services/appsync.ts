import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'AppSync',
  prefix: 'appsync',
  load: () => import('@aws-sdk/client-appsync'),
  client: 'AppSyncClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_APPSYNC_GRAPHQL_APIS',
      type: 'appsync:graphql-api',
      call: 'ListGraphqlApis',
      items: 'graphqlApis',
      id: '{apiId}',
      arn: '{arn}',
      redact: ['environmentVariables.*'],
    },
  ],
});
