import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'DAX',
  prefix: 'dax',
  load: () => import('@aws-sdk/client-dax'),
  client: 'DAXClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_DAX_CLUSTERS',
      type: 'dax:cluster',
      call: 'DescribeClusters',
      paging: { output: 'NextToken' },
      items: 'Clusters',
      id: '{ClusterName}',
      arn: '{ClusterArn}',
    },
  ],
});
