import { bucketDetails } from './config-buckets.ts';
import { type ConfigItem, type Members, membersOf, wrapped } from './config-item.ts';

/** How the calls of a service would have described a resource that AWS Config recorded. */
export interface ConfigType {
  /** Prefix of the service (`AwsService.prefix`). */
  readonly service: string;
  /** The call that returns the resource, in an array or alone. */
  readonly call: string;
  /** Path of the array in its output, if the declaration of the service does not have it. */
  readonly items?: string;
  /** The element of that array; the configuration by default. The case of names does not matter. */
  readonly item?: (item: ConfigItem) => unknown;
  /** The outputs of further calls about the resource; undefined if there is nothing. Others are not recorded. */
  readonly details?: Readonly<Record<string, (item: ConfigItem) => unknown>>;
}

const ec2 = (call: string, item?: ConfigType['item']): ConfigType => ({
  service: 'ec2',
  call,
  ...(item && { item }),
});
const rds = (call: string): ConfigType => ({ service: 'rds', call });
const iam = (items: string): ConfigType => ({
  service: 'iam',
  call: 'GetAccountAuthorizationDetails',
  items,
});
const member = (name: string) => (item: ConfigItem) => item.supplement[name];

/** Config has the addresses of rules as strings too, under the name that the API has for objects. */
const withRanges = ({ configuration }: ConfigItem): Members => {
  const rules = (value: unknown) =>
    Array.isArray(value)
      ? value.map((rule) => {
          const { ipv4Ranges, ipRanges, ...rest } = membersOf(rule);
          return { ...rest, ipRanges: ipv4Ranges ?? (Array.isArray(ipRanges) ? ipRanges.map(rangeOf) : []) };
        })
      : value;
  const { ipPermissions, ipPermissionsEgress, ...rest } = configuration;
  return { ...rest, ipPermissions: rules(ipPermissions), ipPermissionsEgress: rules(ipPermissionsEgress) };
};
const rangeOf = (range: unknown) => (typeof range === 'string' ? { cidrIp: range } : range);

/** Documents of policies are strings in the API. */
function text(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** The types of AWS Config that can be imported. */
export const configTypes: Readonly<Record<string, ConfigType>> = {
  'AWS::EC2::Instance': ec2('DescribeInstances'),
  'AWS::EC2::SecurityGroup': ec2('DescribeSecurityGroups', withRanges),
  'AWS::EC2::Volume': ec2('DescribeVolumes'),
  'AWS::EC2::VPC': ec2('DescribeVpcs'),
  'AWS::EC2::Subnet': ec2('DescribeSubnets'),
  'AWS::EC2::NetworkAcl': ec2('DescribeNetworkAcls'),
  'AWS::EC2::RouteTable': ec2('DescribeRouteTables'),
  'AWS::EC2::VPCPeeringConnection': ec2('DescribeVpcPeeringConnections'),
  'AWS::EC2::VPCEndpoint': ec2('DescribeVpcEndpoints'),
  'AWS::EC2::NetworkInterface': ec2('DescribeNetworkInterfaces'),
  'AWS::EC2::EIP': ec2('DescribeAddresses'),
  'AWS::RDS::DBInstance': rds('DescribeDBInstances'),
  'AWS::RDS::DBCluster': rds('DescribeDBClusters'),
  'AWS::RDS::DBSnapshot': {
    ...rds('DescribeDBSnapshots'),
    details: {
      DescribeDBSnapshotAttributes: ({ configuration, supplement }) =>
        wrapped('DBSnapshotAttributesResult', {
          DBSnapshotIdentifier: configuration.dBSnapshotIdentifier,
          DBSnapshotAttributes: supplement.DBSnapshotAttributes ?? [],
        }),
    },
  },
  'AWS::RDS::DBClusterSnapshot': {
    ...rds('DescribeDBClusterSnapshots'),
    details: {
      DescribeDBClusterSnapshotAttributes: ({ configuration, supplement }) =>
        wrapped('DBClusterSnapshotAttributesResult', {
          DBClusterSnapshotIdentifier: configuration.dBClusterSnapshotIdentifier,
          DBClusterSnapshotAttributes: supplement.DBClusterSnapshotAttributes ?? [],
        }),
    },
  },
  'AWS::IAM::User': iam('UserDetailList'),
  'AWS::IAM::Group': iam('GroupDetailList'),
  'AWS::IAM::Role': iam('RoleDetailList'),
  'AWS::IAM::Policy': iam('Policies'),
  'AWS::S3::Bucket': {
    service: 's3',
    call: 'ListBuckets',
    item: ({ configuration: { name, creationDate } }) => ({ name, creationDate }),
    details: bucketDetails,
  },
  'AWS::S3::AccountPublicAccessBlock': {
    service: 's3control',
    call: 'GetPublicAccessBlock',
    item: ({ configuration }) => ({ PublicAccessBlockConfiguration: configuration }),
  },
  'AWS::KMS::Key': {
    service: 'kms',
    call: 'ListKeys',
    item: ({ configuration: { keyId, arn } }) => ({ keyId, keyArn: arn }),
    details: {
      DescribeKey: ({ configuration }) => ({ KeyMetadata: configuration }),
      GetKeyRotationStatus: ({ supplement }) => wrapped('KeyRotationEnabled', supplement.KeyRotationStatus),
      GetKeyPolicy: ({ supplement }) => wrapped('Policy', text(supplement.Policy)),
    },
  },
  'AWS::CloudTrail::Trail': { service: 'cloudtrail', call: 'DescribeTrails' },
  'AWS::CloudWatch::Alarm': { service: 'cloudwatch', call: 'DescribeAlarms' },
  'AWS::Lambda::Function': {
    service: 'lambda',
    call: 'ListFunctions',
    details: {
      GetPolicy: ({ supplement }) => {
        const { policy, policyContent } = membersOf(supplement.Policy);
        return wrapped('Policy', text(policy ?? policyContent ?? supplement.Policy));
      },
    },
  },
  'AWS::ElasticLoadBalancing::LoadBalancer': {
    service: 'elb',
    call: 'DescribeLoadBalancers',
    details: {
      DescribeLoadBalancerAttributes: (item) =>
        wrapped('LoadBalancerAttributes', member('LoadBalancerAttributes')(item)),
    },
  },
  'AWS::ElasticLoadBalancingV2::LoadBalancer': {
    service: 'elbv2',
    call: 'DescribeLoadBalancers',
    details: {
      DescribeLoadBalancerAttributes: (item) => wrapped('Attributes', member('LoadBalancerAttributes')(item)),
    },
  },
  'AWS::ACM::Certificate': {
    service: 'acm',
    call: 'ListCertificates',
    details: { DescribeCertificate: ({ configuration }) => ({ Certificate: configuration }) },
  },
  'AWS::DynamoDB::Table': {
    service: 'dynamodb',
    call: 'ListTables',
    item: ({ configuration }) => configuration.tableName,
    details: { DescribeTable: ({ configuration }) => ({ Table: configuration }) },
  },
  'AWS::Redshift::Cluster': { service: 'redshift', call: 'DescribeClusters' },
  'AWS::Redshift::ClusterParameterGroup': { service: 'redshift', call: 'DescribeClusterParameterGroups' },
  'AWS::CloudFront::Distribution': {
    service: 'cloudfront',
    call: 'ListDistributions',
    item: ({ configuration }) => ({ ...membersOf(configuration.distributionConfig), ...configuration }),
    details: {
      GetDistributionConfig: ({ configuration }) => ({
        DistributionConfig: configuration.distributionConfig,
      }),
    },
  },
  'AWS::SecretsManager::Secret': { service: 'secretsmanager', call: 'ListSecrets' },
  'AWS::ECR::Repository': {
    service: 'ecr',
    call: 'DescribeRepositories',
    item: ({ configuration: { Arn, ...repository } }) => ({ ...repository, repositoryArn: Arn }),
    details: {
      GetRepositoryPolicy: ({ configuration }) =>
        wrapped('policyText', text(configuration.RepositoryPolicyText)),
    },
  },
  'AWS::EFS::FileSystem': {
    service: 'efs',
    call: 'DescribeFileSystems',
    item: ({ configuration: { Arn, FileSystemTags, ...system } }) => ({
      ...system,
      FileSystemArn: Arn,
      Tags: FileSystemTags ?? [],
    }),
    details: {
      DescribeBackupPolicy: ({ configuration }) => wrapped('BackupPolicy', configuration.BackupPolicy),
    },
  },
  'AWS::EKS::Cluster': {
    service: 'eks',
    call: 'ListClusters',
    item: ({ configuration }) => configuration.Name,
    details: { DescribeCluster: ({ configuration }) => ({ cluster: clusterOf(configuration) }) },
  },
  'AWS::GuardDuty::Detector': {
    service: 'guardduty',
    call: 'ListDetectors',
    item: ({ configuration, id }) => configuration.Id ?? id,
    details: {
      GetDetector: ({ configuration: { Enable, ...detector } }) => ({
        ...detector,
        Status: Enable === false || Enable === 'false' ? 'DISABLED' : 'ENABLED',
      }),
    },
  },
};

/** The form of CloudFormation names the enabled logs only. */
function clusterOf({ Logging, Tags, ...cluster }: Members): Members {
  const { EnabledTypes } = membersOf(membersOf(Logging).ClusterLogging);
  const types = Array.isArray(EnabledTypes) ? EnabledTypes.map((one) => membersOf(one).Type) : [];
  const tags = Array.isArray(Tags) ? Tags.map((tag) => [membersOf(tag).Key, membersOf(tag).Value]) : [];
  return {
    ...cluster,
    logging: { clusterLogging: types.length > 0 ? [{ types, enabled: true }] : [] },
    tags: Object.fromEntries(tags),
  };
}
