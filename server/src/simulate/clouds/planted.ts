import { everyone } from './aws/ec2.ts';
import { kmsKeyId } from './aws/s3.ts';
import { directoryUser } from './azure/directory.ts';
import { azureTenant } from './azure/tenant.ts';
import { uuidOf } from './cloud-object.ts';
import { apiKey } from './gcp/asset.ts';
import { debugPod } from './k8s.ts';
import {
  append,
  data,
  type PlantedMisconfiguration,
  properties,
  removed,
  set,
  within,
} from './misconfiguration.ts';
import {
  accountId,
  arn,
  asset,
  azure,
  azureId,
  clusterObject,
  gcp,
  graph,
  k8s,
  node,
  ofAccount,
  ofBucket,
  ofCluster,
  ofUser,
  person,
  rbac,
} from './place.ts';

const allUsers = 'http://acs.amazonaws.com/groups/global/AllUsers';
const alarms = [
  ...['unauthorized_api', 'signin_no_mfa', 'root_usage', 'iam_policy_changes', 'cloudtrail_changes'],
  ...['auth_failures', 'cmk_changes', 'bucket_policy_changes', 'config_changes', 'security_group_changes'],
  ...['nacl_changes', 'gateway_changes', 'route_changes', 'vpc_changes', 'org_changes'],
].map((name) => `alarm_${name}`);

/**
 * All misconfigurations of the simulated clouds, and the checks that must find them. Everything else in the clouds is as
 * the benchmarks of CIS want it.
 */
export const plantedMisconfigurations: readonly PlantedMisconfiguration[] = [
  {
    ...{ ...ofAccount('IAM_ACCOUNT_SUMMARY', 'GetAccountSummary'), id: 'aws-root-access-key' },
    ...{ problem: 'The root user has an access key.', checks: ['iam_root_no_access_key'] },
    change: within('SummaryMap', { AccountAccessKeysPresent: 1 }),
  },
  {
    ...{ ...ofAccount('IAM_ACCOUNT_SUMMARY', 'GetAccountSummary'), id: 'aws-root-without-mfa' },
    problem: 'The root user has no MFA device; its console login without MFA is in CloudTrail.',
    checks: ['iam_root_mfa', 'iam_root_hardware_mfa'],
    change: within('SummaryMap', { AccountMFAEnabled: 0 }),
  },
  {
    ...{ ...ofAccount('IAM_ACCOUNT_PASSWORD_POLICY', 'GetAccountPasswordPolicy'), id: 'aws-short-passwords' },
    ...{ problem: 'Passwords may have 8 characters.', checks: ['iam_pwd_min_length_14'] },
    change: within('PasswordPolicy', { MinimumPasswordLength: 8 }),
  },
  {
    ...{ id: 'aws-full-admin-policy', cloud: 'aws', kind: 'LW_CFG_AWS_IAM_POLICIES', api: 'Policies' },
    resource: ({ cloud }) => `${cloud.accountAlias}-deploy`,
    accused: ({ cloud }) => `arn:aws:iam::${cloud.accountId}:policy/${cloud.accountAlias}-deploy`,
    problem: 'A customer-managed policy that is attached allows every action on every resource.',
    checks: ['iam_customer_policy_no_admin'],
    change: within('PolicyVersionList', ([version]: [object]) => [
      { ...version, Document: { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] } },
    ]),
  },
  {
    ...{ ...ofUser, id: 'aws-user-without-mfa', problem: 'A user with a password has no MFA device.' },
    ...{ checks: ['iam_console_user_mfa'], change: set({ mfa_active: 'false' }) },
  },
  {
    ...{ ...ofUser, id: 'aws-old-access-key', problem: 'An active access key is older than a year.' },
    checks: ['iam_key_rotation_90'],
    change: set({ access_key_1_active: 'true', access_key_1_last_rotated: '2024-08-01T08:00:00+00:00' }),
  },
  {
    ...{ ...ofBucket('uploads', 'GET_BUCKET_ACL', 'GetBucketAcl'), id: 'aws-public-bucket' },
    problem: 'The ACL of the bucket grants read access to everyone.',
    checks: ['s3_bucket_not_public', 's3_acl_everyone_read'],
    change: within('Grants', append({ Grantee: { Type: 'Group', URI: allUsers }, Permission: 'READ' })),
  },
  {
    ...ofBucket('uploads', 'GET_PUBLIC_ACCESS_BLOCK', 'GetPublicAccessBlock'),
    ...{ id: 'aws-bucket-without-block', problem: 'The bucket does not block public access.' },
    ...{ checks: ['s3_bucket_public_access_block'], change: removed },
  },
  {
    ...ofAccount('S3CONTROL_GET_PUBLIC_ACCESS_BLOCK', 'GetPublicAccessBlock'),
    ...{ id: 'aws-account-without-block', problem: 'The account does not block public access to buckets.' },
    ...{ checks: ['s3_account_public_access_block'], change: removed },
  },
  {
    ...ofBucket('invoices', 'GET_BUCKET_VERSIONING', 'GetBucketVersioning'),
    ...{ id: 'aws-bucket-without-versions', problem: 'The bucket keeps no versions.' },
    ...{ checks: ['s3_versioning', 's3_mfa_delete'], change: () => ({}) },
  },
  {
    ...{ id: 'aws-open-ssh', cloud: 'aws', kind: 'LW_CFG_AWS_EC2_SECURITY_GROUPS' },
    resource: ({ cloud }) => cloud.securityGroupId,
    accused: arn('ec2', ({ cloud }) => `security-group/${cloud.securityGroupId}`),
    problem: 'SSH is open to the internet, since the AuthorizeSecurityGroupIngress in CloudTrail.',
    ...{ checks: ['sg_open_22'], change: within('IpPermissions', append(everyone(22))) },
  },
  {
    ...{ id: 'aws-imdsv1', cloud: 'aws', kind: 'LW_CFG_AWS_EC2_INSTANCES', api: 'DescribeInstances' },
    resource: ({ machines }) => machines.at(-1)?.instanceId as string,
    accused: arn('ec2', ({ machines }) => `instance/${machines.at(-1)?.instanceId}`),
    problem: 'The instance answers requests for metadata without a session token.',
    ...{ checks: ['ec2_imdsv2'], change: within('MetadataOptions', { HttpTokens: 'optional' }) },
  },
  {
    ...{ resource: ({ cloud }) => cloud.vpcId, accused: arn('ec2', ({ cloud }) => `vpc/${cloud.vpcId}`) },
    ...{ problem: 'The traffic of the VPC is not logged.', checks: ['vpc_flow_logs'], change: removed },
    ...{
      id: 'aws-vpc-without-flow-logs',
      cloud: 'aws',
      kind: 'LW_CFG_AWS_EC2_VPCS',
      api: 'DescribeFlowLogs',
    },
  },
  {
    ...{ id: 'aws-stopped-trail', cloud: 'aws', kind: 'LW_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS' },
    ...{ resource: ({ cloud }) => cloud.trailName, api: 'GetTrailStatus', accused: accountId },
    checks: ['cloudtrail_multi_region', 'cloudtrail_s3_write_events', 'cloudtrail_s3_read_events', ...alarms],
    change: set({ IsLogging: false }),
    problem:
      'The only trail does not log, since the StopLogging in CloudTrail, so that alarms on it are void.',
  },
  {
    ...{ id: 'aws-key-without-rotation', cloud: 'aws', api: 'GetKeyRotationStatus' },
    ...{ kind: 'LW_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS', resource: (of) => kmsKeyId(of, 'backups') },
    accused: arn('kms', (company) => `key/${kmsKeyId(company, 'backups')}`),
    ...{ problem: 'The key is not rotated.', checks: ['kms_rotation'] },
    change: set({ KeyRotationEnabled: false }),
  },
  {
    ...{ id: 'aws-public-database', cloud: 'aws', kind: 'LW_CFG_AWS_RDS_DB_INSTANCES' },
    ...{ api: 'DescribeDBInstances', resource: () => 'shop-reporting' },
    accused: arn('rds', () => 'db:shop-reporting'),
    problem: 'The database has a public address and is not encrypted.',
    checks: ['rds_not_public', 'rds_encrypted'],
    change: set({ PubliclyAccessible: true, StorageEncrypted: false }),
  },
  {
    ...{ id: 'aws-public-function', cloud: 'aws', kind: 'LW_CFG_AWS_LAMBDA_GET_POLICY', api: 'GetPolicy' },
    ...{ resource: () => 'thumbnail', accused: arn('lambda', () => 'function:thumbnail') },
    ...{ problem: 'Everyone may invoke the function.', checks: ['lambda_policy_not_public'] },
    change: set({
      Policy:
        '{"Statement":[{"Effect":"Allow","Principal":"*","Action":"lambda:InvokeFunction","Resource":"*"}]}',
    }),
  },
  {
    ...{ ...ofCluster, id: 'aws-public-cluster-endpoint' },
    problem: 'The API of the cluster can be reached from the internet.',
    checks: ['k8s_eks_endpoint_restricted', 'k8s_eks_endpoint_private_only'],
    change: within('cluster.resourcesVpcConfig', {
      ...{ endpointPublicAccess: true, publicAccessCidrs: ['0.0.0.0/0'] },
    }),
  },
  {
    ...{ ...ofCluster, id: 'aws-cluster-secrets-without-key' },
    ...{ problem: 'Secrets of the cluster are not encrypted.', checks: ['k8s_eks_secrets_cmk'] },
    change: within('cluster', { encryptionConfig: [] }),
  },
  {
    ...{ ...gcp('CLOUDRESOURCEMANAGER_PROJECT_IAMPOLICY', 'project'), id: 'gcp-foreign-owner' },
    problem: 'A user outside the company owns the project, since the SetIamPolicy in the audit log.',
    checks: ['gcp_corporate_login'],
    change: within(
      'iamPolicy.bindings',
      append({ role: 'roles/owner', members: ['user:helper@elsewhere.example'] }),
    ),
  },
  {
    ...{ checks: ['gcp_fw_open_ssh'], change: data({ sourceRanges: ['0.0.0.0/0'] }) },
    ...{
      ...gcp('COMPUTE_FIREWALL', 'firewall'),
      id: 'gcp-open-ssh',
      problem: 'SSH is open to the internet.',
    },
  },
  {
    ...{ ...gcp('STORAGE_BUCKET_IAMPOLICY', 'bucket'), id: 'gcp-public-bucket' },
    ...{ problem: 'Everyone may read the objects of the bucket.', checks: ['gcp_bucket_not_public'] },
    change: within('iamPolicy', {
      bindings: [{ role: 'roles/storage.objectViewer', members: ['allUsers'] }],
    }),
  },
  {
    ...{ ...gcp('SQLADMIN_INSTANCE', 'database'), id: 'gcp-open-database' },
    problem: 'The database accepts connections from every address.',
    checks: ['gcp_sql_not_open', 'gcp_sql_no_public_ip'],
    change: within('resource.data', (value: object) => ({
      ...(within('settings.ipConfiguration', { authorizedNetworks: [{ value: '0.0.0.0/0' }] })({
        ...value,
      }) as object),
      ipAddresses: [{ type: 'PRIMARY', ipAddress: '192.0.2.10' }],
    })),
  },
  {
    ...{ ...gcp('IAM_SERVICEACCOUNTKEY', 'serviceAccountKey'), id: 'gcp-user-managed-key' },
    problem: 'A service account has a key that nobody replaced for a year.',
    checks: ['gcp_sa_no_user_keys', 'gcp_sa_key_rotated_90'],
    change: data({ keyType: 'USER_MANAGED', validAfterTime: '2024-08-01T08:00:00Z' }),
  },
  {
    ...{ ...gcp('APIKEYS_KEY', 'apiKey'), id: 'gcp-unrestricted-api-key', added: apiKey },
    problem: 'An old API key can be used by every client for every API.',
    checks: ['gcp_apikey_client_restricted', 'gcp_apikey_api_restricted', 'gcp_apikey_rotated_90'],
    elsewhere: { checks: ['gcp_no_api_keys'], accused: asset('project') },
  },
  {
    ...{ checks: ['gcp_kms_rotation_90'], change: data({ rotationPeriod: undefined }) },
    ...{
      ...gcp('CLOUDKMS_CRYPTOKEY', 'key'),
      id: 'gcp-key-without-rotation',
      problem: 'The key is not rotated.',
    },
  },
  {
    ...{ ...gcp('COMPUTE_INSTANCE', 'instance'), id: 'gcp-public-instance' },
    problem: 'The instance has a public address, forwards packets and offers a serial console.',
    checks: ['gcp_vm_no_public_ip', 'gcp_vm_ip_forward', 'gcp_vm_serial_port', 'gcp_vm_block_project_keys'],
    change: data({
      ...{ canIpForward: true, metadata: { items: [{ key: 'serial-port-enable', value: 'true' }] } },
      networkInterfaces: [{ accessConfigs: [{ natIP: '192.0.2.20' }] }],
    }),
  },
  {
    ...{ ...gcp('COMPUTE_DISK', 'disk'), id: 'gcp-disk-without-key' },
    ...{ problem: 'The disk is encrypted with a key of Google.', checks: ['gcp_disk_csek'] },
    change: data({ diskEncryptionKey: undefined }),
  },
  {
    ...{ ...gcp('COMPUTE_SUBNETWORK', 'subnet'), id: 'gcp-unlogged-subnet' },
    checks: ['gcp_subnet_flow_logs'],
    elsewhere: { checks: ['gcp_gke_subnet_private_access'], accused: asset('cluster') },
    change: data({ enableFlowLogs: false, logConfig: { enable: false }, privateIpGoogleAccess: false }),
    problem:
      'Traffic of the subnet is not logged, and its cluster reaches Google services over the internet.',
  },
  {
    ...{ ...gcp('COMPUTE_TARGETHTTPSPROXY', 'proxy'), id: 'gcp-weak-tls' },
    ...{ problem: 'The load balancer accepts weak cipher suites.', checks: ['gcp_ssl_policy_no_weak'] },
    change: data({ sslPolicy: undefined }),
  },
  {
    ...{ ...gcp('DNS_MANAGEDZONE', 'zone'), id: 'gcp-unsigned-zone', problem: 'The zone is not signed.' },
    ...{ checks: ['gcp_dnssec'], change: data({ state: 'OFF' }, 'dnssecConfig') },
  },
  {
    ...{ ...gcp('DNS_POLICY', 'dnsPolicy'), id: 'gcp-unlogged-dns', accused: asset('network') },
    ...{ problem: 'DNS queries of the network are not logged.', checks: ['gcp_dns_query_logging'] },
    change: data({ enableLogging: false }),
  },
  {
    ...{ ...gcp('LOGGING_LOGMETRIC', 'metric'), id: 'gcp-disabled-metric', accused: asset('project') },
    ...{ problem: 'Nobody is alerted about firewall changes.', checks: ['gcp_alert_firewall'] },
    change: data({ disabled: true }),
  },
  {
    ...{ ...gcp('BIGQUERY_DATASET', 'dataset'), id: 'gcp-public-dataset' },
    change: within('resource.data.access', append({ role: 'READER', specialGroup: 'allAuthenticatedUsers' })),
    ...{
      problem: 'Everyone with a Google account reads the dataset.',
      checks: ['gcp_bq_dataset_not_public'],
    },
  },
  {
    ...{ ...gcp('CONTAINER_CLUSTER', 'cluster'), id: 'gke-public-cluster' },
    problem: 'Everyone reaches the API of the cluster, its nodes are public, and it has no network policies.',
    checks: ['gcp_gke_authorized_networks', 'gcp_gke_private', 'gcp_gke_network_policy'],
    change: data({ masterAuthorizedNetworksConfig: {}, privateClusterConfig: {}, networkPolicy: {} }),
  },
  {
    ...{ ...gcp('CONTAINER_CLUSTER', 'cluster'), id: 'gke-unobserved-cluster' },
    problem: 'The cluster has neither logs nor metrics.',
    checks: ['gcp_gke_logging', 'gcp_gke_monitoring'],
    change: data({ loggingService: 'none', monitoringService: 'none' }),
  },
  {
    ...{ ...gcp('CONTAINER_CLUSTER', 'cluster'), id: 'gke-legacy-access' },
    problem: 'The cluster accepts a password, grants legacy permissions and runs the dashboard.',
    checks: ['gcp_gke_basic_auth', 'gcp_gke_legacy_abac', 'gcp_gke_dashboard'],
    change: within('resource.data', (value: object) => ({
      ...(within('masterAuth', { username: 'admin' })({ ...value }) as object),
      ...{ legacyAbac: { enabled: true }, addonsConfig: { kubernetesDashboard: {} } },
    })),
  },
  {
    ...{ ...gcp('CONTAINER_NODEPOOL', 'nodePool'), id: 'gke-unmanaged-nodes' },
    problem: 'Nodes are neither repaired nor upgraded.',
    ...{ checks: ['gcp_gke_auto_repair', 'gcp_gke_auto_upgrade'], change: data({ management: {} }) },
  },
  {
    ...{ ...gcp('CONTAINER_NODEPOOL', 'nodePool'), id: 'gke-powerful-nodes' },
    problem: 'Nodes run another system and may use every API.',
    checks: ['gcp_gke_cos', 'gcp_gke_limited_scopes'],
    change: data(
      { imageType: 'UBUNTU', oauthScopes: ['https://www.googleapis.com/auth/cloud-platform'] },
      'config',
    ),
  },
  {
    ...{ ...azure('NETWORK_NETWORKSECURITYGROUPS', 'securityGroup'), id: 'azure-open-rdp' },
    ...{ problem: 'RDP is open to the internet.', checks: ['azure_nsg_open_rdp'] },
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
    ...{ ...azure('STORAGE_STORAGEACCOUNTS', 'storageAccount'), id: 'azure-public-blobs' },
    problem: 'Blobs may be public, and connections without TLS are accepted.',
    checks: ['azure_sa_no_blob_public', 'azure_sa_secure_transfer'],
    change: properties({ allowBlobPublicAccess: true, supportsHttpsTrafficOnly: false }),
  },
  {
    ...{ ...azure('SQL_SERVERS', 'database'), id: 'azure-public-database' },
    problem: 'The database server can be reached from public networks, with TLS 1.0.',
    checks: ['azure_sql_not_public', 'azure_sql_tls12'],
    change: properties({ publicNetworkAccess: 'Enabled', minimalTlsVersion: '1.0' }),
  },
  {
    ...{ ...azure('KEYVAULT_VAULTS', 'vault'), id: 'azure-unprotected-vault' },
    ...{ problem: 'Keys and secrets can be purged.', checks: ['azure_kv_recoverable'] },
    change: properties({ enablePurgeProtection: undefined }),
  },
  {
    ...{ ...azure('SECURITY_PRICINGS', 'serverPlan'), id: 'azure-servers-without-defender' },
    ...{ problem: 'Defender does not watch servers.', accused: azureId('subscription') },
    ...{ checks: ['azure_defender_servers'], change: properties({ pricingTier: 'Free' }) },
  },
  {
    ...{ ...azure('SECURITY_SECURITYCONTACTS', 'contact'), id: 'azure-owners-not-notified' },
    ...{ problem: 'Owners get no e-mail about alerts.', checks: ['azure_contact_owners'] },
    change: properties({ notificationsByRole: { state: 'Off', roles: [] } }),
  },
  {
    ...{ ...azure('INSIGHTS_ACTIVITYLOGALERTS', 'alert'), id: 'azure-disabled-alert' },
    ...{ problem: 'Nobody is alerted about changed security groups.', accused: azureId('subscription') },
    ...{ checks: ['azure_alert_nsg_write'], change: properties({ enabled: false }) },
  },
  {
    ...{ ...azure('SQL_SERVERS_AUDITINGSETTINGS', 'audit'), id: 'azure-unaudited-database' },
    ...{ problem: 'The database server is not audited.', accused: azureId('database') },
    ...{ checks: ['azure_sql_auditing'], change: properties({ state: 'Disabled' }) },
  },
  {
    ...azure('SQL_SERVERS_DATABASES_TRANSPARENTDATAENCRYPTION', 'encryption'),
    ...{ id: 'azure-unencrypted-database', problem: 'The database is not encrypted.' },
    ...{
      checks: ['azure_sql_tde'],
      accused: azureId('encrypted'),
      change: properties({ state: 'Disabled' }),
    },
  },
  {
    ...{ problem: 'The server does not log checkpoints.', accused: azureId('postgresql') },
    ...{ checks: ['azure_pg_log_checkpoints'], change: properties({ value: 'off' }) },
    ...{
      ...azure('DBFORPOSTGRESQL_FLEXIBLESERVERS_CONFIGURATIONS', 'checkpoints'),
      id: 'azure-pg-checkpoints',
    },
  },
  {
    ...{ ...azure('COMPUTE_DISKS', 'disk'), id: 'azure-disk-without-key' },
    ...{ problem: 'The disk is encrypted with a key of the platform.', checks: ['azure_vm_disk_cmk'] },
    change: properties({ encryption: { type: 'EncryptionAtRestWithPlatformKey' } }),
  },
  {
    ...{ ...azure('KEYVAULT_VAULTS_KEYS', 'key'), id: 'azure-eternal-key' },
    problem: 'The key neither expires nor is it rotated.',
    checks: ['azure_kv_key_expiry_rbac', 'azure_kv_key_rotation'],
    change: properties({ attributes: { enabled: true }, rotationPolicy: undefined }),
  },
  {
    ...{ checks: ['azure_app_https_only'], change: properties({ httpsOnly: false }) },
    ...{
      ...azure('WEB_SITES', 'site'),
      id: 'azure-site-over-http',
      problem: 'The site answers without TLS.',
    },
  },
  {
    ...{ ...azure('WEB_SITES_CONFIG', 'siteConfig'), id: 'azure-site-weak', accused: azureId('site') },
    ...{ problem: 'The site accepts TLS 1.0 and FTP.', checks: ['azure_app_tls12', 'azure_app_ftps'] },
    change: properties({ minTlsVersion: '1.0', ftpsState: 'AllAllowed' }),
  },
  {
    ...{ id: 'azure-open-invitations', cloud: 'azure', kind: 'LW_CFG_AZURE_GRAPH_AUTHORIZATIONPOLICY' },
    ...{ resource: () => 'authorizationPolicy', object: () => 'policies/authorizationPolicy' },
    accused: graph('authorizationpolicy', () => 'authorizationPolicy'),
    problem: 'Everyone may invite guests, and guests see as much as members.',
    checks: ['azure_guest_invite_admins', 'azure_guest_access_restricted'],
    change: set({ allowInvitesFrom: 'everyone', guestUserRoleId: 'a0b1b346-4d3e-4e8b-98f8-753987be4970' }),
  },
  {
    ...{ id: 'azure-admin-without-mfa', cloud: 'azure', kind: 'LW_CFG_AZURE_GRAPH_USERREGISTRATIONDETAILS' },
    resource: (company) => directoryUser(company, person(company)),
    accused: graph('user', (company) => directoryUser(company, person(company))),
    ...{ problem: 'An administrator has no second factor.', checks: ['azure_mfa_privileged'] },
    change: set({ isMfaRegistered: false, isMfaCapable: false, methodsRegistered: [] }),
    object: (company) =>
      `reports/authenticationMethods/userRegistrationDetails/${directoryUser(company, person(company))}`,
  },
  {
    ...{ id: 'azure-everywhere-allowed', cloud: 'azure', kind: 'LW_CFG_AZURE_GRAPH_CONDITIONALACCESSPOLICY' },
    resource: (company) => uuidOf(company, 'conditional-access', 'block-other-locations'),
    ...{ object: () => 'block-other-locations', accused: graph('organization', azureTenant) },
    ...{ problem: 'People sign in from everywhere.', checks: ['azure_ca_geo'] },
    change: set({ state: 'disabled' }),
  },
  {
    ...{ ...k8s(rbac, 'ClusterRoleBinding', '', () => 'ci-deployer'), id: 'k8s-cluster-admin' },
    problem: 'The service account of the pipeline is an administrator of the cluster.',
    checks: ['k8s_cluster_admin_use'],
    change: set({ roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' } }),
  },
  {
    ...{ ...k8s(rbac, 'ClusterRole', '', () => 'support'), id: 'k8s-wildcard-role' },
    problem: 'The role allows everything.',
    checks: ['k8s_wildcard_roles', 'k8s_secret_access', 'k8s_create_pods', 'k8s_bind_impersonate_escalate'],
    change: set({ rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
  },
  {
    ...{ ...k8s('', 'Pod', 'default', () => 'debug-tools'), id: 'k8s-privileged-pod', added: debugPod },
    problem: 'A privileged pod with the network and the processes of its node runs in the default namespace.',
    checks: [
      ...['k8s_privileged', 'k8s_host_pid', 'k8s_host_network', 'k8s_priv_escalation'],
      'k8s_registry_allowlist',
    ],
    elsewhere: {
      checks: ['k8s_default_namespace_empty'],
      accused: (company) => clusterObject(company, '/Namespace//default'),
    },
    change: within('spec', ({ containers, ...spec }: { containers: readonly object[] }) => ({
      ...{ ...spec, hostPID: true, hostNetwork: true },
      containers: containers.map((one) => ({ ...one, securityContext: { privileged: true } })),
    })),
  },
  {
    ...{ ...k8s('kubelet.config.k8s.io', 'KubeletConfiguration', '', node), id: 'k8s-open-kubelet' },
    problem: 'The kubelet answers anonymous requests, and allows them everything.',
    checks: ['k8s_kubelet_anonymous', 'k8s_kubelet_authz'],
    change: set({
      authentication: { anonymous: { enabled: true }, x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' } },
      authorization: { mode: 'AlwaysAllow' },
    }),
  },
  {
    ...{ ...k8s('networking.k8s.io', 'NetworkPolicy', 'ci', () => 'default-deny'), id: 'k8s-open-namespace' },
    ...{ problem: 'The namespace has no network policy.', checks: ['k8s_namespace_network_policy'] },
    ...{ accused: (company) => clusterObject(company, '/Namespace//ci'), change: removed },
  },
  {
    ...{ ...k8s('networking.k8s.io', 'Ingress', 'shop', () => 'shop'), id: 'k8s-ingress-without-tls' },
    ...{ problem: 'The shop can be reached without TLS.', checks: ['k8s_lb_tls'] },
    change: within('spec', { tls: [] }),
  },
];
