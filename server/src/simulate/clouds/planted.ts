import type { Company } from '../company/company.ts';
import { everyone } from './aws/ec2.ts';
import { kmsKeyId } from './aws/s3.ts';
import { azureIds } from './azure/tenant.ts';
import type { CloudObject } from './cloud-object.ts';
import { assetNames } from './gcp/asset.ts';
import { debugPod } from './k8s.ts';

export type PlantedCloud = 'aws' | 'gcp' | 'azure' | 'k8s';

/** A misconfiguration that compliance should find. */
export interface PlantedMisconfiguration {
  readonly id: string;
  readonly cloud: PlantedCloud;
  /** The datasource of the resource. */
  readonly kind: string;
  /** What identifies the resource: RESOURCE_ID, or `<namespace>/<name>` in a cluster. */
  resource(company: Company): string;
  readonly problem: string;
  /** The checks that it violates. */
  readonly checks: readonly string[];
  /** The API that returns the changed object, and its id if it is not that of the resource. */
  readonly api: string;
  object?(company: Company): string;
  /** Objects that exist only with the misconfiguration. */
  added?(company: Company): readonly CloudObject[];
  /** The object with the misconfiguration; undefined removes it. */
  change(value: never): unknown;
}

type Members = Readonly<Record<string, unknown>>;
const set = (members: Members) => (value: Members) => ({ ...value, ...members });
const within = (name: string, members: Members) => (value: Members) => ({
  ...value,
  [name]: { ...(value[name] as Members), ...members },
});
const properties = (members: Members) => within('properties', members);
const data = (members: Members) => (asset: { readonly resource: { readonly data: Members } } & Members) => ({
  ...asset,
  resource: { ...asset.resource, data: { ...asset.resource.data, ...members } },
});
const bucket = (use: string) => (company: Company) =>
  company.cloud.buckets.find((name) => name.endsWith(use)) as string;
const accountId = ({ cloud }: Company) => cloud.accountId;
const firstPerson = ({ people }: Company) => people[0]?.login as string;
const allUsers = 'http://acs.amazonaws.com/groups/global/AllUsers';

/** All misconfigurations of the simulated clouds. Everything else in them is as checks want it. */
export const plantedMisconfigurations: readonly PlantedMisconfiguration[] = [
  {
    id: 'aws-root-access-key',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_IAM_ACCOUNT_SUMMARY', resource: accountId },
    problem: 'The root user has an access key.',
    checks: ['iam_root_no_access_key'],
    api: 'GetAccountSummary',
    change: within('SummaryMap', { AccountAccessKeysPresent: 1 }),
  },
  {
    id: 'aws-root-without-mfa',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_IAM_ACCOUNT_SUMMARY', resource: accountId },
    problem: 'The root user has no MFA device; its console login without MFA is in CloudTrail.',
    checks: ['iam_root_mfa', 'iam_root_hardware_mfa'],
    api: 'GetAccountSummary',
    change: within('SummaryMap', { AccountMFAEnabled: 0 }),
  },
  {
    id: 'aws-short-passwords',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_IAM_ACCOUNT_PASSWORD_POLICY', resource: accountId },
    problem: 'Passwords may have 8 characters.',
    checks: ['iam_pwd_min_length_14'],
    api: 'GetAccountPasswordPolicy',
    change: within('PasswordPolicy', { MinimumPasswordLength: 8 }),
  },
  {
    id: 'aws-full-admin-policy',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_IAM_POLICIES' },
    resource: ({ cloud }) => `${cloud.accountAlias}-deploy`,
    problem: 'A customer-managed policy that is attached allows every action on every resource.',
    checks: ['iam_customer_policy_no_admin'],
    api: 'Policies',
    change: (policy: Members & { readonly PolicyVersionList: readonly Members[] }) => ({
      ...policy,
      PolicyVersionList: policy.PolicyVersionList.map((version) => ({
        ...version,
        Document: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }],
        },
      })),
    }),
  },
  {
    id: 'aws-user-without-mfa',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT', resource: firstPerson },
    problem: 'A user with a console password has no MFA device.',
    checks: ['iam_console_user_mfa'],
    api: 'GetCredentialReport',
    change: set({ mfa_active: 'false' }),
  },
  {
    id: 'aws-old-access-key',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT', resource: firstPerson },
    problem: 'An active access key is older than a year.',
    checks: ['iam_key_rotation_90'],
    api: 'GetCredentialReport',
    change: set({ access_key_1_active: 'true', access_key_1_last_rotated: '2024-08-01T08:00:00+00:00' }),
  },
  {
    id: 'aws-public-bucket',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_S3_GET_BUCKET_ACL', resource: bucket('uploads') },
    problem: 'The ACL of the bucket grants read access to everyone.',
    checks: ['s3_bucket_not_public', 's3_acl_everyone_read'],
    api: 'GetBucketAcl',
    change: (acl: { readonly Grants: readonly unknown[] }) => ({
      ...acl,
      Grants: [...acl.Grants, { Grantee: { Type: 'Group', URI: allUsers }, Permission: 'READ' }],
    }),
  },
  {
    id: 'aws-bucket-without-block',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_S3_GET_PUBLIC_ACCESS_BLOCK', resource: bucket('uploads') },
    problem: 'The bucket does not block public access.',
    checks: ['s3_bucket_public_access_block'],
    api: 'GetPublicAccessBlock',
    change: () => undefined,
  },
  {
    id: 'aws-account-without-block',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_S3CONTROL_GET_PUBLIC_ACCESS_BLOCK', resource: accountId },
    problem: 'The account does not block public access to buckets.',
    checks: ['s3_account_public_access_block'],
    api: 'GetPublicAccessBlock',
    change: () => undefined,
  },
  {
    id: 'aws-bucket-without-versions',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_S3_GET_BUCKET_VERSIONING', resource: bucket('invoices') },
    problem: 'The bucket keeps no versions.',
    checks: ['s3_versioning', 's3_mfa_delete'],
    api: 'GetBucketVersioning',
    change: () => ({}),
  },
  {
    id: 'aws-open-ssh',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_EC2_SECURITY_GROUPS' },
    resource: ({ cloud }) => cloud.securityGroupId,
    problem: 'SSH is open to the internet, since the AuthorizeSecurityGroupIngress in CloudTrail.',
    checks: ['sg_open_22', 'sg_open_any_port', 'ec2_open_ssh'],
    api: 'DescribeSecurityGroups',
    change: (group: { readonly IpPermissions: readonly unknown[] }) => ({
      ...group,
      IpPermissions: [...group.IpPermissions, everyone(22)],
    }),
  },
  {
    id: 'aws-imdsv1',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_EC2_INSTANCES' },
    resource: ({ machines }) => machines.at(-1)?.instanceId as string,
    problem: 'The instance answers requests for metadata without a session token.',
    checks: ['ec2_imdsv2'],
    api: 'DescribeInstances',
    change: (instance: { readonly MetadataOptions: Members }) => ({
      ...instance,
      MetadataOptions: { ...instance.MetadataOptions, HttpTokens: 'optional' },
    }),
  },
  {
    id: 'aws-vpc-without-flow-logs',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_EC2_VPCS' },
    resource: ({ cloud }) => cloud.vpcId,
    problem: 'The traffic of the VPC is not logged.',
    checks: ['vpc_flow_logs'],
    api: 'DescribeFlowLogs',
    object: ({ cloud }) => cloud.vpcId,
    change: () => undefined,
  },
  {
    id: 'aws-stopped-trail',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS' },
    resource: ({ cloud }) => cloud.trailName,
    problem: 'The trail does not log, since the StopLogging in CloudTrail.',
    checks: ['cloudtrail_multi_region'],
    api: 'GetTrailStatus',
    change: set({ IsLogging: false }),
  },
  {
    id: 'aws-key-without-rotation',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS' },
    resource: (company) => kmsKeyId(company, 'backups'),
    problem: 'The key is not rotated.',
    checks: ['kms_rotation'],
    api: 'GetKeyRotationStatus',
    change: set({ KeyRotationEnabled: false }),
  },
  {
    id: 'aws-public-database',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_RDS_DB_INSTANCES', resource: () => 'shop-reporting' },
    problem: 'The database has a public address and is not encrypted.',
    checks: ['rds_not_public', 'rds_encrypted'],
    api: 'DescribeDBInstances',
    change: set({ PubliclyAccessible: true, StorageEncrypted: false }),
  },
  {
    id: 'aws-public-function',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_LAMBDA_GET_POLICY', resource: () => 'thumbnail' },
    problem: 'Everyone may invoke the function.',
    checks: ['lambda_policy_not_public'],
    api: 'GetPolicy',
    change: () => ({
      Policy: JSON.stringify({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: '*', Action: 'lambda:InvokeFunction', Resource: '*' }],
      }),
    }),
  },
  {
    id: 'aws-public-cluster-endpoint',
    ...{ cloud: 'aws', kind: 'LW_CFG_AWS_EKS_CLUSTERS_DESCRIBE_CLUSTER' },
    resource: ({ cloud }) => cloud.cluster,
    problem: 'The API of the cluster can be reached from the internet.',
    checks: ['eks_endpoint_not_public', 'k8s_eks_endpoint_restricted', 'k8s_eks_endpoint_private_only'],
    api: 'DescribeCluster',
    change: ({ cluster }: { cluster: Members & { readonly resourcesVpcConfig: Members } }) => ({
      cluster: {
        ...cluster,
        resourcesVpcConfig: {
          ...cluster.resourcesVpcConfig,
          endpointPublicAccess: true,
          publicAccessCidrs: ['0.0.0.0/0'],
        },
      },
    }),
  },
  {
    id: 'gcp-foreign-owner',
    ...{ cloud: 'gcp', kind: 'LW_CFG_GCP_CLOUDRESOURCEMANAGER_PROJECT_IAMPOLICY' },
    resource: (company) => assetNames(company).project,
    problem: 'A user outside the company owns the project, since the SetIamPolicy in the audit log.',
    checks: ['gcp_corporate_login'],
    api: 'cloudresourcemanager.googleapis.com/Project',
    change: (asset: Members & { readonly iamPolicy: { readonly bindings: readonly unknown[] } }) => ({
      ...asset,
      iamPolicy: {
        ...asset.iamPolicy,
        bindings: [
          ...asset.iamPolicy.bindings,
          { role: 'roles/owner', members: ['user:helper@elsewhere.example'] },
        ],
      },
    }),
  },
  {
    id: 'gcp-open-ssh',
    ...{ cloud: 'gcp', kind: 'LW_CFG_GCP_COMPUTE_FIREWALL' },
    resource: (company) => assetNames(company).firewall,
    problem: 'SSH is open to the internet.',
    checks: ['gcp_fw_open_ssh'],
    api: 'compute.googleapis.com/Firewall',
    change: data({ sourceRanges: ['0.0.0.0/0'] }),
  },
  {
    id: 'gcp-public-bucket',
    ...{ cloud: 'gcp', kind: 'LW_CFG_GCP_STORAGE_BUCKET_IAMPOLICY' },
    resource: (company) => assetNames(company).bucket,
    problem: 'Everyone may read the objects of the bucket.',
    checks: ['gcp_bucket_not_public'],
    api: 'storage.googleapis.com/Bucket',
    change: set({ iamPolicy: { bindings: [{ role: 'roles/storage.objectViewer', members: ['allUsers'] }] } }),
  },
  {
    id: 'gcp-open-database',
    ...{ cloud: 'gcp', kind: 'LW_CFG_GCP_SQLADMIN_INSTANCE' },
    resource: (company) => assetNames(company).database,
    problem: 'The database accepts connections from every address.',
    checks: ['gcp_sql_not_open', 'gcp_sql_no_public_ip', 'gcp_sql_private_ip'],
    api: 'sqladmin.googleapis.com/Instance',
    change: (asset: {
      readonly resource: {
        readonly data: Members & { readonly settings: Members & { readonly ipConfiguration: Members } };
      };
    }) => {
      const { settings } = asset.resource.data;
      const authorizedNetworks = [{ name: 'everyone', value: '0.0.0.0/0' }];
      const ipConfiguration = { ...settings.ipConfiguration, ipv4Enabled: true, authorizedNetworks };
      const ipAddresses = [{ type: 'PRIMARY', ipAddress: '192.0.2.10' }];
      return data({ settings: { ...settings, ipConfiguration }, ipAddresses })(asset);
    },
  },
  {
    id: 'azure-open-rdp',
    ...{ cloud: 'azure', kind: 'LW_CFG_AZURE_NETWORK_NETWORKSECURITYGROUPS' },
    resource: (company) => azureIds(company).securityGroup,
    problem: 'RDP is open to the internet.',
    checks: ['azure_nsg_open_rdp', 'azure_nsg_remote_access'],
    api: 'microsoft.network/networksecuritygroups',
    change: properties({
      securityRules: [
        {
          name: 'rdp',
          properties: {
            ...{ access: 'Allow', direction: 'Inbound', priority: 110, protocol: 'Tcp' },
            ...{ sourceAddressPrefix: '*', sourcePortRange: '*' },
            ...{ destinationAddressPrefix: '*', destinationPortRange: '3389' },
          },
        },
      ],
    }),
  },
  {
    id: 'azure-public-blobs',
    ...{ cloud: 'azure', kind: 'LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS' },
    resource: (company) => azureIds(company).storageAccount,
    problem: 'Blobs may be public, and connections without TLS are accepted.',
    checks: ['azure_sa_no_blob_public', 'azure_sa_secure_transfer'],
    api: 'microsoft.storage/storageaccounts',
    change: properties({ allowBlobPublicAccess: true, supportsHttpsTrafficOnly: false }),
  },
  {
    id: 'azure-public-database',
    ...{ cloud: 'azure', kind: 'LW_CFG_AZURE_SQL_SERVERS' },
    resource: (company) => azureIds(company).database,
    problem: 'The database server can be reached from public networks, with TLS 1.0.',
    checks: ['azure_sql_not_public', 'azure_sql_tls12'],
    api: 'microsoft.sql/servers',
    change: properties({ publicNetworkAccess: 'Enabled', minimalTlsVersion: '1.0' }),
  },
  {
    id: 'azure-unprotected-vault',
    ...{ cloud: 'azure', kind: 'LW_CFG_AZURE_KEYVAULT_VAULTS' },
    resource: (company) => azureIds(company).vault,
    problem: 'Keys and secrets can be purged.',
    checks: ['azure_kv_purge_protection', 'azure_kv_recoverable'],
    api: 'microsoft.keyvault/vaults',
    change: properties({ enablePurgeProtection: undefined }),
  },
  {
    id: 'k8s-cluster-admin',
    ...{ cloud: 'k8s', kind: 'LW_CFG_K8S_CLUSTER_CLUSTERROLEBINDING', resource: () => 'ci-deployer' },
    problem: 'The service account of the pipeline is an administrator of the cluster.',
    checks: ['k8s_cluster_admin_use'],
    api: 'ClusterRoleBinding',
    change: set({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    }),
  },
  {
    id: 'k8s-wildcard-role',
    ...{ cloud: 'k8s', kind: 'LW_CFG_K8S_CLUSTER_CLUSTERROLE', resource: () => 'support' },
    problem: 'The role allows everything.',
    checks: ['k8s_wildcard_roles', 'k8s_secret_access', 'k8s_create_pods'],
    api: 'ClusterRole',
    change: set({ rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
  },
  {
    id: 'k8s-privileged-pod',
    ...{ cloud: 'k8s', kind: 'LW_CFG_K8S_CLUSTER_POD', resource: () => 'default/debug-tools' },
    problem: 'A privileged pod with the network and the processes of its node runs in the default namespace.',
    checks: ['k8s_privileged', 'k8s_host_pid', 'k8s_host_network', 'k8s_default_namespace_empty'],
    api: 'Pod',
    added: debugPod,
    change: (pod: { readonly spec: { readonly containers: readonly Members[] } }) => ({
      ...pod,
      spec: {
        ...pod.spec,
        ...{ hostPID: true, hostNetwork: true },
        containers: pod.spec.containers.map(set({ securityContext: { privileged: true } })),
      },
    }),
  },
];

/** The objects of a cloud with its misconfigurations. */
export function withPlanted(
  cloud: PlantedCloud,
  company: Company,
  objects: readonly CloudObject[],
  misconfigurations: readonly PlantedMisconfiguration[],
): CloudObject[] {
  const planted = misconfigurations.filter((one) => one.cloud === cloud);
  const added = planted.flatMap((one) => one.added?.(company) ?? []);
  return [...objects, ...added].flatMap((object) => {
    let { value } = object;
    for (const { api, resource, object: id = resource, change } of planted)
      if (api === object.api && id(company) === object.id) value = change(value as never);
    return value === undefined ? [] : [{ ...object, value }];
  });
}
