import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Access Analyzer',
  prefix: 'accessanalyzer',
  iamPrefix: 'access-analyzer',
  load: () => import('@aws-sdk/client-accessanalyzer'),
  client: 'AccessAnalyzerClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_ACCESSANALYZER',
      type: 'access-analyzer:analyzer',
      call: 'ListAnalyzers',
      items: 'analyzers',
      id: '{name}',
      arn: '{arn}',
    },
  ],
});
