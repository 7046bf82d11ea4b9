import { arnOf, ofRegion } from '../account-resource.ts';
import { type AwsRead, defineAwsService } from '../service.ts';

/** A call that returns resources of the account. */
function described(kind: string, call: string, items: string, type: string, id: string): AwsRead {
  const identity = { id: `{${id}}`, arn: arnOf('ec2', `${arnTypes[type] ?? type}/{${id}}`) };
  return { kind: `LW_CFG_AWS_EC2_${kind}`, type: `ec2:${type}`, call, items, ...identity };
}

const arnTypes: Readonly<Record<string, string>> = { address: 'elastic-ip', 'flow-log': 'vpc-flow-log' };
const pageOf = (MaxResults: number) => ({ input: { MaxResults } });

const snapshots: AwsRead = {
  ...described('SNAPSHOTS', 'DescribeSnapshots', 'Snapshots', 'snapshot', 'SnapshotId'),
  arn: 'arn:{$partition}:ec2:{$region}::snapshot/{SnapshotId}',
  input: { OwnerIds: ['self'], MaxResults: 1_000 },
};
const { kind: _, ...snapshotsOnly } = snapshots;

export default defineAwsService({
  name: 'EC2',
  prefix: 'ec2',
  load: () => import('@aws-sdk/client-ec2'),
  client: 'EC2Client',
  regions: 'each',
  // The refill rate of calls that read: docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html
  rate: { perSecond: 20 },
  reads: [
    {
      ...described('INSTANCES', 'DescribeInstances', 'Reservations.Instances', 'instance', 'InstanceId'),
      ...pageOf(1_000),
    },
    {
      ...described(
        'SECURITY_GROUPS',
        'DescribeSecurityGroups',
        'SecurityGroups',
        'security-group',
        'GroupId',
      ),
      ...pageOf(1_000),
    },
    { ...described('VOLUMES', 'DescribeVolumes', 'Volumes', 'volume', 'VolumeId'), ...pageOf(500) },
    snapshots,
    {
      // On its own: accounts have very many snapshots, and their array must not fail with these calls.
      ...snapshotsOnly,
      each: [
        {
          kind: 'LW_CFG_AWS_EC2_SNAPSHOTS_DESCRIBE_ATTRIBUTES',
          call: 'DescribeSnapshotAttribute',
          input: { SnapshotId: '{SnapshotId}', Attribute: 'createVolumePermission' },
        },
      ],
    },
    {
      ...described('IMAGES', 'DescribeImages', 'Images', 'image', 'ImageId'),
      arn: 'arn:{$partition}:ec2:{$region}::image/{ImageId}',
      input: { Owners: ['self'], MaxResults: 1_000 },
    },
    { ...described('VPCS', 'DescribeVpcs', 'Vpcs', 'vpc', 'VpcId'), ...pageOf(1_000) },
    { ...described('SUBNETS', 'DescribeSubnets', 'Subnets', 'subnet', 'SubnetId'), ...pageOf(1_000) },
    {
      ...described('NETWORK_ACLS', 'DescribeNetworkAcls', 'NetworkAcls', 'network-acl', 'NetworkAclId'),
      ...pageOf(1_000),
    },
    {
      ...described('ROUTE_TABLES', 'DescribeRouteTables', 'RouteTables', 'route-table', 'RouteTableId'),
      ...pageOf(100),
    },
    {
      ...described('VPC_FLOW_LOGS', 'DescribeFlowLogs', 'FlowLogs', 'flow-log', 'FlowLogId'),
      ...pageOf(1_000),
    },
    {
      ...described(
        'VPC_PEERING_CONNECTIONS',
        'DescribeVpcPeeringConnections',
        ...(['VpcPeeringConnections', 'vpc-peering-connection', 'VpcPeeringConnectionId'] as const),
      ),
      ...pageOf(1_000),
    },
    {
      ...described('VPC_ENDPOINTS', 'DescribeVpcEndpoints', 'VpcEndpoints', 'vpc-endpoint', 'VpcEndpointId'),
      ...pageOf(1_000),
      json: ['PolicyDocument'],
    },
    {
      ...described(
        'NETWORK_INTERFACES',
        'DescribeNetworkInterfaces',
        ...(['NetworkInterfaces', 'network-interface', 'NetworkInterfaceId'] as const),
      ),
      ...pageOf(1_000),
      tags: 'TagSet',
    },
    described('ADDRESSES', 'DescribeAddresses', 'Addresses', 'address', 'AllocationId'),
    {
      // The enabled regions: policies evaluate what each of them lacks.
      kind: 'LW_CFG_AWS_EC2_REGIONS',
      type: 'ec2:region',
      call: 'DescribeRegions',
      regions: 'once',
      items: 'Regions',
      itemRegion: 'RegionName',
      ...ofRegion,
    },
    {
      kind: 'LW_CFG_AWS_EC2_EBS_ENCRYPTION_BY_DEFAULT',
      type: 'ec2:ebs-encryption-by-default',
      call: 'GetEbsEncryptionByDefault',
      ...ofRegion,
    },
    {
      kind: 'LW_CFG_AWS_EC2_GET_SNAPSHOT_BLOCK_PUBLIC_ACCESS_STATE',
      type: 'ec2:snapshot-block-public-access',
      call: 'GetSnapshotBlockPublicAccessState',
      ...ofRegion,
    },
    {
      ...described(
        'CLIENT_VPN_ENDPOINTS',
        'DescribeClientVpnEndpoints',
        ...(['ClientVpnEndpoints', 'client-vpn-endpoint', 'ClientVpnEndpointId'] as const),
      ),
      ...pageOf(1_000),
    },
    {
      ...described(
        'LAUNCH_TEMPLATES',
        'DescribeLaunchTemplates',
        ...(['LaunchTemplates', 'launch-template', 'LaunchTemplateId'] as const),
      ),
      ...pageOf(200),
      each: [
        {
          kind: 'LW_CFG_AWS_EC2_LAUNCH_TEMPLATE_VERSIONS',
          type: 'ec2:launch-template',
          call: 'DescribeLaunchTemplateVersions',
          input: { LaunchTemplateId: '{LaunchTemplateId}', Versions: ['$Latest', '$Default'] },
          items: 'LaunchTemplateVersions',
          key: '{LaunchTemplateId}/{VersionNumber}',
          redact: ['LaunchTemplateData.UserData'],
        },
      ],
    },
    {
      ...described(
        'TRANSIT_GATEWAYS',
        'DescribeTransitGateways',
        ...(['TransitGateways', 'transit-gateway', 'TransitGatewayId'] as const),
      ),
      ...pageOf(1_000),
    },
  ],
});
