import type { Company } from '../../company/company.ts';
import { millisecondsPerHour } from '../../hour.ts';
import { awsId, type CloudObject, cloudObject, seeded } from '../cloud-object.ts';
import { kmsKeyId } from './s3.ts';

const created = '2025-05-20T09:00:00Z';
const day = 24 * millisecondsPerHour;
const databases = ['shop-orders', 'shop-catalogue', 'shop-reporting'] as const;
const functions = ['thumbnail', 'invoice-mail', 'webhook'] as const;

/** Databases and functions. */
export function* serverlessObjects(company: Company, today: number): Generator<CloudObject> {
  const { region, accountId, vpcId, subnetIds, securityGroupId } = company.cloud;
  const here = { region };
  const KmsKeyId = `arn:aws:kms:${region}:${accountId}:key/${kmsKeyId(company, 'databases')}`;
  for (const [index, name] of databases.entries())
    yield cloudObject(
      'DescribeDBInstances',
      name,
      {
        ...{ DBInstanceIdentifier: name, DBInstanceArn: `arn:aws:rds:${region}:${accountId}:db:${name}` },
        ...{ DBInstanceClass: 'db.r6g.large', Engine: 'postgres', EngineVersion: '16.3', KmsKeyId },
        ...{ DBInstanceStatus: 'available', MasterUsername: 'owner', InstanceCreateTime: created },
        Endpoint: {
          Address: `${name}.${seeded(company, 'rds').hex(12)}.${region}.rds.amazonaws.com`,
          Port: 5432,
        },
        // The largest database grows.
        AllocatedStorage: index === 0 ? 200 + (Math.floor(today / day / 7) % 50) : 100,
        ...{ StorageEncrypted: true, PubliclyAccessible: false, MultiAZ: true, DeletionProtection: true },
        ...{ BackupRetentionPeriod: 14, CopyTagsToSnapshot: true, AutoMinorVersionUpgrade: true },
        ...{ IAMDatabaseAuthenticationEnabled: true, MonitoringInterval: 60 },
        EnabledCloudwatchLogsExports: ['postgresql', 'upgrade'],
        VpcSecurityGroups: [{ VpcSecurityGroupId: securityGroupId, Status: 'active' }],
        DBParameterGroups: [{ DBParameterGroupName: name, ParameterApplyStatus: 'in-sync' }],
        DBSubnetGroup: { VpcId: vpcId, DBSubnetGroupName: 'databases' },
        TagList: [{ Key: 'Team', Value: 'data' }],
      },
      here,
    );
  for (const name of databases) {
    const DBParameterGroupArn = `arn:aws:rds:${region}:${accountId}:pg:${name}`;
    const group = { DBParameterGroupName: name, DBParameterGroupArn, DBParameterGroupFamily: 'postgres16' };
    yield cloudObject('DescribeDBParameterGroups', name, group, here);
    const parameter = { ParameterValue: '1', Source: 'user', ApplyType: 'dynamic', IsModifiable: true };
    yield cloudObject(
      'DescribeDBParameters',
      name,
      { Parameters: [{ ParameterName: 'rds.force_ssl', ...parameter }] },
      here,
    );
  }
  for (const name of functions) {
    const FunctionArn = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
    yield cloudObject(
      'ListFunctions',
      name,
      {
        ...{ FunctionName: name, FunctionArn, Runtime: 'nodejs20.x', Handler: 'index.handler' },
        ...{ Role: `arn:aws:iam::${accountId}:role/functions`, MemorySize: 256, Timeout: 30 },
        ...{ LastModified: created, PackageType: 'Zip', State: 'Active' },
        Environment: { Variables: { STAGE: 'production' } },
        VpcConfig: { VpcId: vpcId, SubnetIds: subnetIds, SecurityGroupIds: [securityGroupId] },
      },
      here,
    );
    const Principal = { Service: 's3.amazonaws.com' };
    const Condition = { StringEquals: { 'AWS:SourceAccount': accountId } };
    const Statement = [
      { Effect: 'Allow', Principal, Action: 'lambda:InvokeFunction', Resource: FunctionArn, Condition },
    ];
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
    yield cloudObject('GetPolicy', name, { Policy }, here);
  }
}

/** The registry of the cluster's images. */
export function* registryObjects({ cloud, images }: Company): Generator<CloudObject> {
  const { region, accountId: registryId } = cloud;
  const here = { region };
  for (const { repo } of images) {
    const repositoryName = repo.replace(/^[^/]+\//, '');
    const repositoryArn = `arn:aws:ecr:${region}:${registryId}:repository/${repositoryName}`;
    const repository = {
      ...{ repositoryArn, registryId, repositoryName, createdAt: created, imageTagMutability: 'IMMUTABLE' },
      repositoryUri: `${registryId}.dkr.ecr.${region}.amazonaws.com/${repositoryName}`,
      ...{
        imageScanningConfiguration: { scanOnPush: true },
        encryptionConfiguration: { encryptionType: 'KMS' },
      },
    };
    yield cloudObject('DescribeRepositories', repositoryName, repository, here);
    const Statement = [
      {
        ...{ Sid: 'pull', Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${registryId}:root` } },
        Action: ['ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
      },
    ];
    const policyText = JSON.stringify({ Version: '2012-10-17', Statement });
    const policy = { registryId, repositoryName, policyText };
    yield cloudObject('GetRepositoryPolicy', repositoryName, policy, here);
  }
}

/** The cluster of the simulated pods. */
export function* eksObjects(company: Company): Generator<CloudObject> {
  const { region, accountId, cluster: name, vpcId, subnetIds, securityGroupId } = company.cloud;
  const here = { region };
  yield cloudObject('ListClusters', name, name, here);
  const keyArn = `arn:aws:kms:${region}:${accountId}:key/${kmsKeyId(company, 'volumes')}`;
  const types = ['api', 'audit', 'authenticator', 'controllerManager', 'scheduler'];
  const cluster = {
    ...{ name, arn: `arn:aws:eks:${region}:${accountId}:cluster/${name}`, createdAt: created },
    ...{ version: '1.29', status: 'ACTIVE', roleArn: `arn:aws:iam::${accountId}:role/cluster` },
    resourcesVpcConfig: {
      ...{ subnetIds, securityGroupIds: [securityGroupId], vpcId, publicAccessCidrs: [] },
      ...{ endpointPublicAccess: false, endpointPrivateAccess: true },
    },
    logging: { clusterLogging: [{ types, enabled: true }] },
    encryptionConfig: [{ resources: ['secrets'], provider: { keyArn } }],
    tags: { Team: 'platform' },
  };
  yield cloudObject('DescribeCluster', name, { cluster }, here);
  yield cloudObject('ListNodegroups', 'nodes', 'nodes', { ...here, of: name });
  const nodes = company.machines.filter(({ role }) => role.runs === 'pods').length;
  const nodegroup = {
    ...{
      nodegroupName: 'nodes',
      clusterName: name,
      status: 'ACTIVE',
      createdAt: created,
      subnets: subnetIds,
    },
    nodegroupArn: `arn:aws:eks:${region}:${accountId}:nodegroup/${name}/nodes/${awsId(company, 'ng').slice(4)}`,
    ...{ nodeRole: `arn:aws:iam::${accountId}:role/cluster-node`, amiType: 'AL2023_x86_64_STANDARD' },
    scalingConfig: { minSize: 1, maxSize: Math.max(2, nodes * 2), desiredSize: nodes },
  };
  yield cloudObject('DescribeNodegroup', 'nodes', { nodegroup }, { ...here, of: name });
}
