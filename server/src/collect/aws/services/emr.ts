import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'EMR',
  prefix: 'emr',
  iamPrefix: 'elasticmapreduce',
  load: () => import('@aws-sdk/client-emr'),
  client: 'EMRClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_EMR_CLUSTERS',
      type: 'emr:cluster',
      call: 'ListClusters',
      // Terminated clusters are listed for two months.
      input: { ClusterStates: ['STARTING', 'BOOTSTRAPPING', 'RUNNING', 'WAITING', 'TERMINATING'] },
      items: 'Clusters',
      id: '{Id}',
      arn: '{ClusterArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_EMR_DESCRIBE_CLUSTER',
          call: 'DescribeCluster',
          input: { ClusterId: '{Id}' },
          config: 'Cluster',
          tags: 'Cluster.Tags',
          redact: [
            ...['KdcAdminPassword', 'CrossRealmTrustPrincipalPassword', 'ADDomainJoinPassword'].map(
              (password) => `KerberosAttributes.${password}`,
            ),
            ...['Configurations.*.Properties.*', 'Configurations.*.Configurations'],
          ],
        },
      ],
    },
  ],
});
