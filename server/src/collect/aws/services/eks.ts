import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'EKS',
  prefix: 'eks',
  load: () => import('@aws-sdk/client-eks'),
  client: 'EKSClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_EKS_CLUSTERS',
      type: 'eks:cluster',
      call: 'ListClusters',
      items: 'clusters',
      id: '{}',
      arn: arnOf('eks', 'cluster/{}'),
      each: [
        {
          kind: 'LW_CFG_AWS_EKS_CLUSTERS_DESCRIBE_CLUSTER',
          call: 'DescribeCluster',
          input: { name: '{}' },
          config: 'cluster',
          tags: 'cluster.tags',
        },
        {
          kind: 'LW_CFG_AWS_EKS_NODEGROUPS',
          type: 'eks:nodegroup',
          call: 'ListNodegroups',
          input: { clusterName: '{}' },
          items: 'nodegroups',
          id: '{^}/{}',
          arn: arnOf('eks', 'nodegroup/{^}/{}'),
          each: [
            {
              kind: 'LW_CFG_AWS_EKS_DESCRIBE_NODEGROUP',
              call: 'DescribeNodegroup',
              input: { clusterName: '{^}', nodegroupName: '{}' },
              config: 'nodegroup',
              tags: 'nodegroup.tags',
            },
          ],
        },
      ],
    },
  ],
});
