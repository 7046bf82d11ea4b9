import type { Company } from '../../company/company.ts';
import { isoSeconds, millisecondsPerHour } from '../../hour.ts';
import { awsId, type CloudObject, cloudObject } from '../cloud-object.ts';
import { kmsKeyId } from './s3.ts';

const day = 24 * millisecondsPerHour;
/** Days for which snapshots of volumes are kept. */
const keptSnapshots = 3;
const created = '2025-05-20T09:00:00Z';
const tagsOf = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

export function everyone(port: number) {
  return {
    ...{ IpProtocol: 'tcp', FromPort: port, ToPort: port },
    ...{ IpRanges: [{ CidrIp: '0.0.0.0/0' }], Ipv6Ranges: [] },
  };
}

/** The network of each region, and the hosts in the one that the company uses. */
export function* ec2Objects(company: Company, today: number): Generator<CloudObject> {
  for (const region of company.cloud.regions) {
    yield* network(company, region);
    yield cloudObject('DescribeRegions', region, {
      ...{ RegionName: region, Endpoint: `ec2.${region}.amazonaws.com`, OptInStatus: 'opt-in-not-required' },
    });
  }
  yield* instances(company, today);
}

function* network(company: Company, region: string): Generator<CloudObject> {
  const { accountId: OwnerId, region: home, vpcId, subnetIds, securityGroupId } = company.cloud;
  const isHome = region === home;
  const VpcId = isHome ? vpcId : awsId(company, 'vpc', region);
  const block = isHome ? '10.0.0.0/8' : '172.31.0.0/16';
  const here = { region };
  yield cloudObject(
    'DescribeVpcs',
    VpcId,
    { VpcId, CidrBlock: block, IsDefault: !isHome, State: 'available', OwnerId, InstanceTenancy: 'default' },
    here,
  );
  const subnets = isHome ? subnetIds : [awsId(company, 'subnet', region)];
  for (const [index, SubnetId] of subnets.entries())
    yield cloudObject(
      'DescribeSubnets',
      SubnetId,
      {
        ...{ SubnetId, VpcId, OwnerId, State: 'available', MapPublicIpOnLaunch: false },
        CidrBlock: isHome ? `10.${20 + index}.0.0/16` : '172.31.0.0/20',
        AvailabilityZone: `${region}${'abc'[index]}`,
      },
      here,
    );
  const FlowLogId = awsId(company, 'fl', region);
  // Its id is that of the VPC, of which each has one.
  yield cloudObject(
    'DescribeFlowLogs',
    VpcId,
    {
      ...{ FlowLogId, ResourceId: VpcId, FlowLogStatus: 'ACTIVE', TrafficType: 'ALL' },
      ...{ LogDestinationType: 'cloud-watch-logs', LogGroupName: 'vpc-flow-logs', CreationTime: created },
    },
    here,
  );
  const group = (GroupId: string, GroupName: string, IpPermissions: readonly object[]) =>
    cloudObject(
      'DescribeSecurityGroups',
      GroupId,
      {
        ...{ GroupId, GroupName, VpcId, OwnerId, Description: `${GroupName} security group`, IpPermissions },
        IpPermissionsEgress:
          GroupName === 'default' ? [] : [{ IpProtocol: '-1', IpRanges: [{ CidrIp: block }] }],
      },
      here,
    );
  yield group(awsId(company, 'sg', region, 'default'), 'default', []);
  if (isHome) {
    const within = { IpProtocol: 'tcp', FromPort: 0, ToPort: 65_535, IpRanges: [{ CidrIp: block }] };
    yield group(securityGroupId, 'hosts', [within]);
    yield group(webGroup(company), 'web', [everyone(443)]);
  }
  yield* routing(company, { region, VpcId, block, subnets });
  const setting = `${OwnerId}/${region}`;
  yield cloudObject('GetEbsEncryptionByDefault', setting, { EbsEncryptionByDefault: true }, here);
  yield cloudObject(
    'GetSnapshotBlockPublicAccessState',
    setting,
    { State: 'block-all-sharing', ManagedBy: 'account' },
    here,
  );
}

interface Network {
  readonly region: string;
  readonly VpcId: string;
  readonly block: string;
  readonly subnets: readonly string[];
}

/** Network ACLs and routes; the network of the company is peered with that of a partner. */
function* routing(company: Company, { region, VpcId, block, subnets }: Network): Generator<CloudObject> {
  const { accountId: OwnerId, region: home, vpcId } = company.cloud;
  const here = { region };
  const NetworkAclId = awsId(company, 'acl', region);
  const rule = (RuleNumber: number, Egress: boolean, CidrBlock: string, RuleAction: string) => ({
    ...{ RuleNumber, Egress, CidrBlock, RuleAction, Protocol: '-1' },
  });
  yield cloudObject(
    'DescribeNetworkAcls',
    NetworkAclId,
    {
      ...{ NetworkAclId, VpcId, OwnerId, IsDefault: false },
      Associations: subnets.map((SubnetId) => ({ NetworkAclId, SubnetId })),
      Entries: [
        ...[rule(100, false, block, 'allow'), rule(100, true, block, 'allow')],
        {
          ...{ RuleNumber: 110, Egress: false, CidrBlock: '0.0.0.0/0', RuleAction: 'allow', Protocol: '6' },
          PortRange: { From: 443, To: 443 },
        },
        ...[rule(32_767, false, '0.0.0.0/0', 'deny'), rule(32_767, true, '0.0.0.0/0', 'deny')],
      ],
    },
    here,
  );
  const RouteTableId = awsId(company, 'rtb', region);
  const VpcPeeringConnectionId = awsId(company, 'pcx', region);
  const active = { Origin: 'CreateRoute', State: 'active' };
  yield cloudObject(
    'DescribeRouteTables',
    RouteTableId,
    {
      ...{ RouteTableId, VpcId, OwnerId, PropagatingVgws: [] },
      Associations: subnets.map((SubnetId) => ({ RouteTableId, SubnetId, Main: false })),
      Routes: [
        { DestinationCidrBlock: block, GatewayId: 'local', Origin: 'CreateRouteTable', State: 'active' },
        ...(VpcId === vpcId
          ? [{ DestinationCidrBlock: '172.20.16.0/24', VpcPeeringConnectionId, ...active }]
          : []),
      ],
    },
    here,
  );
  if (region !== home) return;
  const side = (id: string, CidrBlock: string) => ({
    ...{ OwnerId, VpcId: id, Region: region, CidrBlock, CidrBlockSet: [{ CidrBlock }] },
  });
  yield cloudObject(
    'DescribeVpcPeeringConnections',
    VpcPeeringConnectionId,
    {
      ...{ VpcPeeringConnectionId, Status: { Code: 'active', Message: 'Active' } },
      RequesterVpcInfo: side(VpcId, block),
      AccepterVpcInfo: side(awsId(company, 'vpc', 'partner'), '172.20.16.0/20'),
    },
    here,
  );
}

const webGroup = (company: Company) => awsId(company, 'sg', 'web');

function* instances(company: Company, today: number): Generator<CloudObject> {
  const { cloud, machines } = company;
  const here = { region: cloud.region };
  const { accountId: OwnerId, vpcId: VpcId, securityGroupId } = cloud;
  const KmsKeyId = `arn:aws:kms:${cloud.region}:${OwnerId}:key/${kmsKeyId(company, 'volumes')}`;
  for (const { index, instanceId, role, address, publicAddress, zone, bootAt, tags } of machines) {
    const groups = role.isPublic ? [webGroup(company)] : [securityGroupId];
    const VolumeId = awsId(company, 'vol', index);
    const LaunchTime = isoSeconds(bootAt);
    // Alternates between two days, so that there are versions of resources.
    const patched = String(new Date(today - ((today / day + index) % 7) * day).toISOString().slice(0, 10));
    const named = {
      ...{ Name: tags.Name ?? '', Env: tags.Env ?? '' },
      ...(role.runs === 'pods' && { 'eks:cluster-name': cloud.cluster }),
    };
    const Tags = tagsOf(index % 10 === 0 ? { ...named, Patched: patched } : named);
    yield cloudObject(
      'DescribeInstances',
      instanceId,
      {
        ...{ InstanceId: instanceId, InstanceType: role.instanceType, ImageId: tags.AmiId, LaunchTime },
        State: { Code: 16, Name: 'running' },
        ...{ PrivateIpAddress: address, VpcId, SubnetId: tags.SubnetId, Tags },
        ...(publicAddress !== '' && { PublicIpAddress: publicAddress }),
        Placement: { AvailabilityZone: zone, Tenancy: 'default' },
        SecurityGroups: groups.map((GroupId) => ({ GroupId })),
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { VolumeId, DeleteOnTermination: true } }],
        IamInstanceProfile: { Arn: `arn:aws:iam::${OwnerId}:instance-profile/hosts` },
        MetadataOptions: { State: 'applied', HttpEndpoint: 'enabled', HttpTokens: 'required' },
        Monitoring: { State: 'enabled' },
      },
      here,
    );
    const Attachments = [{ InstanceId: instanceId, VolumeId, State: 'attached', Device: '/dev/xvda' }];
    const disk = { VolumeId, Encrypted: true, KmsKeyId };
    yield cloudObject(
      'DescribeVolumes',
      VolumeId,
      {
        ...disk,
        Attachments,
        AvailabilityZone: zone,
        CreateTime: LaunchTime,
        State: 'in-use',
        Size: 100,
        Tags,
      },
      here,
    );
    for (let back = 0; back < keptSnapshots; back++) {
      const StartTime = isoSeconds(today - back * day);
      const SnapshotId = awsId(company, 'snap', index, today - back * day);
      const snapshot = { ...disk, SnapshotId, OwnerId, StartTime, State: 'completed', VolumeSize: 100 };
      yield cloudObject('DescribeSnapshots', SnapshotId, snapshot, here);
      const attributes = { SnapshotId, CreateVolumePermissions: [] };
      yield cloudObject('DescribeSnapshotAttribute', SnapshotId, attributes, here);
    }
  }
}
