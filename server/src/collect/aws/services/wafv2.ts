import { type AwsRead, defineAwsService } from '../service.ts';

const resourceTypes = [
  ...['APPLICATION_LOAD_BALANCER', 'API_GATEWAY', 'APPSYNC', 'COGNITO_USER_POOL', 'APP_RUNNER_SERVICE'],
  'VERIFIED_ACCESS_INSTANCE',
];

/** ACLs of regional resources are in each region, those of CloudFront in one. */
function webAcls(Scope: 'REGIONAL' | 'CLOUDFRONT'): AwsRead {
  const ofRegions: AwsRead = {
    kind: 'LW_CFG_AWS_WAFV2_LIST_RESOURCES_FOR_WEB_ACL',
    call: 'ListResourcesForWebACL',
    inputs: resourceTypes.map((ResourceType) => ({ WebACLArn: '{ARN}', ResourceType })),
    items: 'ResourceArns',
    key: '{^ARN} {}',
  };
  return {
    kind: 'LW_CFG_AWS_WAFV2_WEB_ACLS',
    type: 'wafv2:web-acl',
    call: 'ListWebACLs',
    input: { Scope, Limit: 100 },
    ...(Scope === 'CLOUDFRONT' && { regions: 'once' }),
    paging: { output: 'NextMarker' },
    items: 'WebACLs',
    id: '{Id}',
    arn: '{ARN}',
    each: [
      {
        kind: 'LW_CFG_AWS_WAFV2_GET_WEB_ACL',
        call: 'GetWebACL',
        input: { Scope, Id: '{Id}', Name: '{Name}' },
        config: 'WebACL',
      },
      {
        kind: 'LW_CFG_AWS_WAFV2_GET_LOGGING_CONFIGURATION',
        call: 'GetLoggingConfiguration',
        input: { ResourceArn: '{ARN}' },
        none: ['WAFNonexistentItemException'],
      },
      // Distributions name their ACL themselves.
      ...(Scope === 'REGIONAL' ? [ofRegions] : []),
    ],
  };
}

export default defineAwsService({
  name: 'WAF V2',
  prefix: 'wafv2',
  load: () => import('@aws-sdk/client-wafv2'),
  client: 'WAFV2Client',
  regions: 'each',
  reads: [webAcls('REGIONAL'), webAcls('CLOUDFRONT')],
});
