import { defineAwsService } from '../service.ts';

const arn = 'arn:{$partition}:waf::{$account}:webacl/{WebACLId}';

export default defineAwsService({
  name: 'WAF',
  prefix: 'waf',
  load: () => import('@aws-sdk/client-waf'),
  client: 'WAFClient',
  regions: 'once',
  reads: [
    {
      kind: 'LW_CFG_AWS_WAF_WEB_ACLS',
      type: 'waf:web-acl',
      call: 'ListWebACLs',
      input: { Limit: 100 },
      paging: { output: 'NextMarker' },
      items: 'WebACLs',
      id: '{WebACLId}',
      arn,
      each: [
        {
          kind: 'LW_CFG_AWS_WAF_GET_LOGGING_CONFIGURATION',
          call: 'GetLoggingConfiguration',
          input: { ResourceArn: arn },
          none: ['WAFNonexistentItemException'],
        },
      ],
    },
  ],
});
