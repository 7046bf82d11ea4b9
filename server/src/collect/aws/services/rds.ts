import { defineAwsService } from '../service.ts';

const pages = { input: { MaxRecords: 100 } };
const tags = 'TagList';
const password = { redact: ['PendingModifiedValues.MasterUserPassword'] };

export default defineAwsService({
  name: 'RDS',
  prefix: 'rds',
  load: () => import('@aws-sdk/client-rds'),
  client: 'RDSClient',
  regions: 'each',
  reads: [
    {
      kind: 'LW_CFG_AWS_RDS_DB_INSTANCES',
      type: 'rds:db-instance',
      call: 'DescribeDBInstances',
      ...pages,
      items: 'DBInstances',
      id: '{DBInstanceIdentifier}',
      arn: '{DBInstanceArn}',
      tags,
      ...password,
    },
    {
      kind: 'LW_CFG_AWS_RDS_CLUSTERS',
      type: 'rds:db-cluster',
      call: 'DescribeDBClusters',
      ...pages,
      items: 'DBClusters',
      id: '{DBClusterIdentifier}',
      arn: '{DBClusterArn}',
      tags,
      ...password,
    },
    {
      kind: 'LW_CFG_AWS_RDS_DB_SNAPSHOTS',
      type: 'rds:db-snapshot',
      call: 'DescribeDBSnapshots',
      ...pages,
      items: 'DBSnapshots',
      id: '{DBSnapshotIdentifier}',
      arn: '{DBSnapshotArn}',
      tags,
      each: [
        {
          kind: 'LW_CFG_AWS_RDS_DESCRIBE_DB_SNAPSHOT_ATTRIBUTES',
          call: 'DescribeDBSnapshotAttributes',
          input: { DBSnapshotIdentifier: '{DBSnapshotIdentifier}' },
          config: 'DBSnapshotAttributesResult',
        },
      ],
    },
    {
      kind: 'LW_CFG_AWS_RDS_CLUSTER_SNAPSHOTS',
      type: 'rds:db-cluster-snapshot',
      call: 'DescribeDBClusterSnapshots',
      ...pages,
      items: 'DBClusterSnapshots',
      permissions: ['rds:DescribeDBClusterSnapshots', 'rds:DescribeDBClusterSnapshotAttributes'],
      id: '{DBClusterSnapshotIdentifier}',
      arn: '{DBClusterSnapshotArn}',
      tags,
      // Who may restore it has no datasource of its own.
      async extend(item, calls) {
        const { DBClusterSnapshotIdentifier } = item as { DBClusterSnapshotIdentifier: string };
        const { DBClusterSnapshotAttributesResult } = await calls.call(
          'DescribeDBClusterSnapshotAttributes',
          { DBClusterSnapshotIdentifier },
        );
        return { ...(item as object), ...(DBClusterSnapshotAttributesResult as object) };
      },
    },
    {
      kind: 'LW_CFG_AWS_RDS_DB_PARAMETER_GROUPS',
      type: 'rds:db-parameter-group',
      call: 'DescribeDBParameterGroups',
      ...pages,
      items: 'DBParameterGroups',
      id: '{DBParameterGroupName}',
      arn: '{DBParameterGroupArn}',
      each: [
        {
          kind: 'LW_CFG_AWS_RDS_DB_PARAMETERS',
          call: 'DescribeDBParameters',
          input: { DBParameterGroupName: '{DBParameterGroupName}', MaxRecords: 100 },
        },
      ],
    },
  ],
});
