import { arnOf } from '../account-resource.ts';
import { defineAwsService } from '../service.ts';

export default defineAwsService({
  name: 'Redshift',
  prefix: 'redshift',
  load: () => import('@aws-sdk/client-redshift'),
  client: 'RedshiftClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_REDSHIFT_CLUSTERS',
      type: 'redshift:cluster',
      call: 'DescribeClusters',
      input: { MaxRecords: 100 },
      items: 'Clusters',
      id: '{ClusterIdentifier}',
      arn: arnOf('redshift', 'cluster:{ClusterIdentifier}'),
      redact: ['PendingModifiedValues.MasterUserPassword'],
      each: [
        {
          kind: 'LW_CFG_AWS_REDSHIFT_DESCRIBE_LOGGING_STATUS',
          call: 'DescribeLoggingStatus',
          input: { ClusterIdentifier: '{ClusterIdentifier}' },
        },
      ],
    },
    {
      kind: 'LW_CFG_AWS_REDSHIFT_CLUSTER_PARAMETER_GROUPS',
      type: 'redshift:parameter-group',
      call: 'DescribeClusterParameterGroups',
      input: { MaxRecords: 100 },
      items: 'ParameterGroups',
      id: '{ParameterGroupName}',
      arn: arnOf('redshift', 'parametergroup:{ParameterGroupName}'),
      each: [
        {
          kind: 'LW_CFG_AWS_REDSHIFT_CLUSTER_PARAMETERS',
          call: 'DescribeClusterParameters',
          input: { ParameterGroupName: '{ParameterGroupName}' },
        },
      ],
    },
  ],
});
