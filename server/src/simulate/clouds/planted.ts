import { kmsKeyId } from './aws/s3.ts';
import { directoryUser } from './azure/directory.ts';
import { azureTenant } from './azure/tenant.ts';
import { uuidOf } from './cloud-object.ts';
import { apiKey } from './gcp/asset.ts';
import { debugPod } from './k8s.ts';
import type { PlantedMisconfiguration } from './misconfiguration.ts';
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
    ...{ id: 'aws-root-access-key', ...ofAccount('IAM_ACCOUNT_SUMMARY', 'GetAccountSummary') },
    ...{ problem: 'The root user has an access key.', checks: ['iam_root_no_access_key'] },
  },
  {
    ...{ id: 'aws-root-without-mfa', ...ofAccount('IAM_ACCOUNT_SUMMARY', 'GetAccountSummary') },
    problem: 'The root user has no MFA device; its console login without MFA is in CloudTrail.',
    checks: ['iam_root_mfa', 'iam_root_hardware_mfa'],
  },
  {
    id: 'aws-short-passwords',
    ...ofAccount('IAM_ACCOUNT_PASSWORD_POLICY', 'GetAccountPasswordPolicy'),
    ...{ problem: 'Passwords may have 8 characters.', checks: ['iam_pwd_min_length_14'] },
  },
  {
    ...{ id: 'aws-full-admin-policy', cloud: 'aws', kind: 'LW_CFG_AWS_IAM_POLICIES', api: 'Policies' },
    resource: ({ cloud }) => `${cloud.accountAlias}-deploy`,
    accused: ({ cloud }) => `arn:aws:iam::${cloud.accountId}:policy/${cloud.accountAlias}-deploy`,
    problem: 'A customer-managed policy that is attached allows every action on every resource.',
    checks: ['iam_customer_policy_no_admin'],
  },
  {
    ...{ id: 'aws-user-without-mfa', ...ofUser, problem: 'A user with a password has no MFA device.' },
    checks: ['iam_console_user_mfa'],
  },
  {
    ...{ id: 'aws-old-access-key', ...ofUser, problem: 'An active access key is older than a year.' },
    checks: ['iam_key_rotation_90'],
  },
  {
    ...{ id: 'aws-public-bucket', ...ofBucket('uploads', 'GET_BUCKET_ACL', 'GetBucketAcl') },
    problem: 'The ACL of the bucket grants read access to everyone.',
    checks: ['s3_bucket_not_public', 's3_acl_everyone_read'],
  },
  {
    id: 'aws-bucket-without-block',
    ...ofBucket('uploads', 'GET_PUBLIC_ACCESS_BLOCK', 'GetPublicAccessBlock'),
    ...{ problem: 'The bucket does not block public access.', checks: ['s3_bucket_public_access_block'] },
  },
  {
    id: 'aws-account-without-block',
    ...ofAccount('S3CONTROL_GET_PUBLIC_ACCESS_BLOCK', 'GetPublicAccessBlock'),
    problem: 'The account does not block public access to buckets.',
    checks: ['s3_account_public_access_block'],
  },
  {
    id: 'aws-bucket-without-versions',
    ...ofBucket('invoices', 'GET_BUCKET_VERSIONING', 'GetBucketVersioning'),
    ...{ problem: 'The bucket keeps no versions.', checks: ['s3_versioning', 's3_mfa_delete'] },
  },
  {
    ...{ id: 'aws-open-ssh', cloud: 'aws', kind: 'LW_CFG_AWS_EC2_SECURITY_GROUPS' },
    resource: ({ cloud }) => cloud.securityGroupId,
    accused: arn('ec2', ({ cloud }) => `security-group/${cloud.securityGroupId}`),
    problem: 'SSH is open to the internet, since the AuthorizeSecurityGroupIngress in CloudTrail.',
    checks: ['sg_open_22'],
  },
  {
    ...{ id: 'aws-imdsv1', cloud: 'aws', kind: 'LW_CFG_AWS_EC2_INSTANCES', api: 'DescribeInstances' },
    resource: ({ machines }) => machines.at(-1)?.instanceId as string,
    accused: arn('ec2', ({ machines }) => `instance/${machines.at(-1)?.instanceId}`),
    problem: 'The instance answers requests for metadata without a session token.',
    checks: ['ec2_imdsv2'],
  },
  {
    ...{ id: 'aws-vpc-without-flow-logs', resource: ({ cloud }) => cloud.vpcId },
    accused: arn('ec2', ({ cloud }) => `vpc/${cloud.vpcId}`),
    ...{ problem: 'The traffic of the VPC is not logged.', checks: ['vpc_flow_logs'], cloud: 'aws' },
    ...{ kind: 'LW_CFG_AWS_EC2_VPCS', api: 'DescribeFlowLogs' },
  },
  {
    ...{ id: 'aws-stopped-trail', cloud: 'aws', kind: 'LW_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS' },
    ...{ resource: ({ cloud }) => cloud.trailName, api: 'GetTrailStatus', accused: accountId },
    checks: ['cloudtrail_multi_region', 'cloudtrail_s3_write_events', 'cloudtrail_s3_read_events', ...alarms],
    problem:
      'The only trail does not log, since the StopLogging in CloudTrail, so that alarms on it are void.',
  },
  {
    ...{ id: 'aws-key-without-rotation', cloud: 'aws', api: 'GetKeyRotationStatus' },
    ...{ kind: 'LW_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS', resource: (of) => kmsKeyId(of, 'backups') },
    accused: arn('kms', (company) => `key/${kmsKeyId(company, 'backups')}`),
    ...{ problem: 'The key is not rotated.', checks: ['kms_rotation'] },
  },
  {
    ...{ id: 'aws-public-database', cloud: 'aws', kind: 'LW_CFG_AWS_RDS_DB_INSTANCES' },
    ...{ api: 'DescribeDBInstances', resource: () => 'shop-reporting' },
    accused: arn('rds', () => 'db:shop-reporting'),
    problem: 'The database has a public address and is not encrypted.',
    checks: ['rds_not_public', 'rds_encrypted'],
  },
  {
    ...{ id: 'aws-public-function', cloud: 'aws', kind: 'LW_CFG_AWS_LAMBDA_GET_POLICY', api: 'GetPolicy' },
    ...{ resource: () => 'thumbnail', accused: arn('lambda', () => 'function:thumbnail') },
    ...{ problem: 'Everyone may invoke the function.', checks: ['lambda_policy_not_public'] },
  },
  {
    ...{ id: 'aws-public-cluster-endpoint', ...ofCluster },
    problem: 'The API of the cluster can be reached from the internet.',
    checks: ['k8s_eks_endpoint_restricted', 'k8s_eks_endpoint_private_only'],
  },
  {
    ...{ id: 'aws-cluster-secrets-without-key', ...ofCluster },
    ...{ problem: 'Secrets of the cluster are not encrypted.', checks: ['k8s_eks_secrets_cmk'] },
  },
  {
    ...{ id: 'gcp-foreign-owner', ...gcp('CLOUDRESOURCEMANAGER_PROJECT_IAMPOLICY', 'project') },
    problem: 'A user outside the company owns the project, since the SetIamPolicy in the audit log.',
    checks: ['gcp_corporate_login'],
  },
  {
    ...{ id: 'gcp-open-ssh', checks: ['gcp_fw_open_ssh'], ...gcp('COMPUTE_FIREWALL', 'firewall') },
    problem: 'SSH is open to the internet.',
  },
  {
    ...{ id: 'gcp-public-bucket', ...gcp('STORAGE_BUCKET_IAMPOLICY', 'bucket') },
    ...{ problem: 'Everyone may read the objects of the bucket.', checks: ['gcp_bucket_not_public'] },
  },
  {
    ...{ id: 'gcp-open-database', ...gcp('SQLADMIN_INSTANCE', 'database') },
    problem: 'The database accepts connections from every address.',
    checks: ['gcp_sql_not_open', 'gcp_sql_no_public_ip'],
  },
  {
    ...{ id: 'gcp-user-managed-key', ...gcp('IAM_SERVICEACCOUNTKEY', 'serviceAccountKey') },
    problem: 'A service account has a key that nobody replaced for a year.',
    checks: ['gcp_sa_no_user_keys', 'gcp_sa_key_rotated_90'],
  },
  {
    ...{ id: 'gcp-unrestricted-api-key', ...gcp('APIKEYS_KEY', 'apiKey'), added: apiKey },
    problem: 'An old API key can be used by every client for every API.',
    checks: ['gcp_apikey_client_restricted', 'gcp_apikey_api_restricted', 'gcp_apikey_rotated_90'],
    elsewhere: { checks: ['gcp_no_api_keys'], accused: asset('project') },
  },
  {
    ...{ id: 'gcp-key-without-rotation', checks: ['gcp_kms_rotation_90'] },
    ...{ ...gcp('CLOUDKMS_CRYPTOKEY', 'key'), problem: 'The key is not rotated.' },
  },
  {
    ...{ id: 'gcp-public-instance', ...gcp('COMPUTE_INSTANCE', 'instance') },
    problem: 'The instance has a public address, forwards packets and offers a serial console.',
    checks: ['gcp_vm_no_public_ip', 'gcp_vm_ip_forward', 'gcp_vm_serial_port', 'gcp_vm_block_project_keys'],
  },
  {
    ...{ id: 'gcp-disk-without-key', ...gcp('COMPUTE_DISK', 'disk') },
    ...{ problem: 'The disk is encrypted with a key of Google.', checks: ['gcp_disk_csek'] },
  },
  {
    ...{ id: 'gcp-unlogged-subnet', ...gcp('COMPUTE_SUBNETWORK', 'subnet') },
    checks: ['gcp_subnet_flow_logs'],
    elsewhere: { checks: ['gcp_gke_subnet_private_access'], accused: asset('cluster') },
    problem:
      'Traffic of the subnet is not logged, and its cluster reaches Google services over the internet.',
  },
  {
    ...{ id: 'gcp-weak-tls', ...gcp('COMPUTE_TARGETHTTPSPROXY', 'proxy') },
    ...{ problem: 'The load balancer accepts weak cipher suites.', checks: ['gcp_ssl_policy_no_weak'] },
  },
  {
    ...{ id: 'gcp-unsigned-zone', ...gcp('DNS_MANAGEDZONE', 'zone'), problem: 'The zone is not signed.' },
    checks: ['gcp_dnssec'],
  },
  {
    ...{ id: 'gcp-unlogged-dns', ...gcp('DNS_POLICY', 'dnsPolicy'), accused: asset('network') },
    ...{ problem: 'DNS queries of the network are not logged.', checks: ['gcp_dns_query_logging'] },
  },
  {
    ...{ id: 'gcp-disabled-metric', ...gcp('LOGGING_LOGMETRIC', 'metric'), accused: asset('project') },
    ...{ problem: 'Nobody is alerted about firewall changes.', checks: ['gcp_alert_firewall'] },
  },
  {
    ...{ id: 'gcp-public-dataset', ...gcp('BIGQUERY_DATASET', 'dataset') },
    problem: 'Everyone with a Google account reads the dataset.',
    checks: ['gcp_bq_dataset_not_public'],
  },
  {
    ...{ id: 'gke-public-cluster', ...gcp('CONTAINER_CLUSTER', 'cluster') },
    problem: 'Everyone reaches the API of the cluster, its nodes are public, and it has no network policies.',
    checks: ['gcp_gke_authorized_networks', 'gcp_gke_private', 'gcp_gke_network_policy'],
  },
  {
    ...{ id: 'gke-unobserved-cluster', ...gcp('CONTAINER_CLUSTER', 'cluster') },
    problem: 'The cluster has neither logs nor metrics.',
    checks: ['gcp_gke_logging', 'gcp_gke_monitoring'],
  },
  {
    ...{ id: 'gke-legacy-access', ...gcp('CONTAINER_CLUSTER', 'cluster') },
    problem: 'The cluster accepts a password, grants legacy permissions and runs the dashboard.',
    checks: ['gcp_gke_basic_auth', 'gcp_gke_legacy_abac', 'gcp_gke_dashboard'],
  },
  {
    ...{ id: 'gke-unmanaged-nodes', ...gcp('CONTAINER_NODEPOOL', 'nodePool') },
    problem: 'Nodes are neither repaired nor upgraded.',
    checks: ['gcp_gke_auto_repair', 'gcp_gke_auto_upgrade'],
  },
  {
    ...{ id: 'gke-powerful-nodes', ...gcp('CONTAINER_NODEPOOL', 'nodePool') },
    problem: 'Nodes run another system and may use every API.',
    checks: ['gcp_gke_cos', 'gcp_gke_limited_scopes'],
  },
  {
    ...{ id: 'azure-open-rdp', ...azure('NETWORK_NETWORKSECURITYGROUPS', 'securityGroup') },
    ...{ problem: 'RDP is open to the internet.', checks: ['azure_nsg_open_rdp'] },
  },
  {
    ...{ id: 'azure-public-blobs', ...azure('STORAGE_STORAGEACCOUNTS', 'storageAccount') },
    problem: 'Blobs may be public, and connections without TLS are accepted.',
    checks: ['azure_sa_no_blob_public', 'azure_sa_secure_transfer'],
  },
  {
    ...{ id: 'azure-public-database', ...azure('SQL_SERVERS', 'database') },
    problem: 'The database server can be reached from public networks, with TLS 1.0.',
    checks: ['azure_sql_not_public', 'azure_sql_tls12'],
  },
  {
    ...{ id: 'azure-unprotected-vault', ...azure('KEYVAULT_VAULTS', 'vault') },
    ...{ problem: 'Keys and secrets can be purged.', checks: ['azure_kv_recoverable'] },
  },
  {
    ...{ id: 'azure-servers-without-defender', ...azure('SECURITY_PRICINGS', 'serverPlan') },
    ...{ problem: 'Defender does not watch servers.', accused: azureId('subscription') },
    checks: ['azure_defender_servers'],
  },
  {
    ...{ id: 'azure-owners-not-notified', ...azure('SECURITY_SECURITYCONTACTS', 'contact') },
    ...{ problem: 'Owners get no e-mail about alerts.', checks: ['azure_contact_owners'] },
  },
  {
    ...{ id: 'azure-disabled-alert', ...azure('INSIGHTS_ACTIVITYLOGALERTS', 'alert') },
    ...{ problem: 'Nobody is alerted about changed security groups.', accused: azureId('subscription') },
    checks: ['azure_alert_nsg_write'],
  },
  {
    ...{ id: 'azure-unaudited-database', ...azure('SQL_SERVERS_AUDITINGSETTINGS', 'audit') },
    ...{ problem: 'The database server is not audited.', accused: azureId('database') },
    checks: ['azure_sql_auditing'],
  },
  {
    id: 'azure-unencrypted-database',
    ...azure('SQL_SERVERS_DATABASES_TRANSPARENTDATAENCRYPTION', 'encryption'),
    ...{ problem: 'The database is not encrypted.', checks: ['azure_sql_tde'] },
    accused: azureId('encrypted'),
  },
  {
    ...{ id: 'azure-pg-checkpoints', problem: 'The server does not log checkpoints.' },
    ...{ accused: azureId('postgresql'), checks: ['azure_pg_log_checkpoints'] },
    ...azure('DBFORPOSTGRESQL_FLEXIBLESERVERS_CONFIGURATIONS', 'checkpoints'),
  },
  {
    ...{ id: 'azure-disk-without-key', ...azure('COMPUTE_DISKS', 'disk') },
    ...{ problem: 'The disk is encrypted with a key of the platform.', checks: ['azure_vm_disk_cmk'] },
  },
  {
    ...{ id: 'azure-eternal-key', ...azure('KEYVAULT_VAULTS_KEYS', 'key') },
    problem: 'The key neither expires nor is it rotated.',
    checks: ['azure_kv_key_expiry_rbac', 'azure_kv_key_rotation'],
  },
  {
    ...{ id: 'azure-site-over-http', checks: ['azure_app_https_only'], ...azure('WEB_SITES', 'site') },
    problem: 'The site answers without TLS.',
  },
  {
    ...{ id: 'azure-site-weak', ...azure('WEB_SITES_CONFIG', 'siteConfig'), accused: azureId('site') },
    ...{ problem: 'The site accepts TLS 1.0 and FTP.', checks: ['azure_app_tls12', 'azure_app_ftps'] },
  },
  {
    ...{ id: 'azure-open-invitations', cloud: 'azure', kind: 'LW_CFG_AZURE_GRAPH_AUTHORIZATIONPOLICY' },
    ...{ resource: () => 'authorizationPolicy', object: () => 'policies/authorizationPolicy' },
    accused: graph('authorizationpolicy', () => 'authorizationPolicy'),
    problem: 'Everyone may invite guests, and guests see as much as members.',
    checks: ['azure_guest_invite_admins', 'azure_guest_access_restricted'],
  },
  {
    ...{ id: 'azure-admin-without-mfa', cloud: 'azure', kind: 'LW_CFG_AZURE_GRAPH_USERREGISTRATIONDETAILS' },
    resource: (company) => directoryUser(company, person(company)),
    accused: graph('user', (company) => directoryUser(company, person(company))),
    ...{ problem: 'An administrator has no second factor.', checks: ['azure_mfa_privileged'] },
    object: (company) =>
      `reports/authenticationMethods/userRegistrationDetails/${directoryUser(company, person(company))}`,
  },
  {
    ...{ id: 'azure-everywhere-allowed', cloud: 'azure' },
    kind: 'LW_CFG_AZURE_GRAPH_CONDITIONALACCESSPOLICY',
    resource: (company) => uuidOf(company, 'conditional-access', 'block-other-locations'),
    ...{ object: () => 'block-other-locations', accused: graph('organization', azureTenant) },
    ...{ problem: 'People sign in from everywhere.', checks: ['azure_ca_geo'] },
  },
  {
    ...{ id: 'k8s-cluster-admin', ...k8s(rbac, 'ClusterRoleBinding', '', () => 'ci-deployer') },
    problem: 'The service account of the pipeline is an administrator of the cluster.',
    checks: ['k8s_cluster_admin_use'],
  },
  {
    ...{ id: 'k8s-wildcard-role', ...k8s(rbac, 'ClusterRole', '', () => 'support') },
    problem: 'The role allows everything.',
    checks: ['k8s_wildcard_roles', 'k8s_secret_access', 'k8s_create_pods', 'k8s_bind_impersonate_escalate'],
  },
  {
    ...{ id: 'k8s-privileged-pod', ...k8s('', 'Pod', 'default', () => 'debug-tools'), added: debugPod },
    problem: 'A privileged pod with the network and the processes of its node runs in the default namespace.',
    checks: [
      ...['k8s_privileged', 'k8s_host_pid', 'k8s_host_network', 'k8s_priv_escalation'],
      'k8s_registry_allowlist',
    ],
    elsewhere: {
      checks: ['k8s_default_namespace_empty'],
      accused: (company) => clusterObject(company, '/Namespace//default'),
    },
  },
  {
    ...{ id: 'k8s-open-kubelet', ...k8s('kubelet.config.k8s.io', 'KubeletConfiguration', '', node) },
    problem: 'The kubelet answers anonymous requests, and allows them everything.',
    checks: ['k8s_kubelet_anonymous', 'k8s_kubelet_authz'],
  },
  {
    ...{ id: 'k8s-open-namespace', ...k8s('', 'Namespace', '', () => 'ci'), api: 'NetworkPolicy' },
    ...{ object: () => 'ci/default-deny', problem: 'The namespace has no network policy.' },
    checks: ['k8s_namespace_network_policy'],
  },
  {
    ...{ id: 'k8s-ingress-without-tls', ...k8s('networking.k8s.io', 'Ingress', 'shop', () => 'shop') },
    ...{ problem: 'The shop can be reached without TLS.', checks: ['k8s_lb_tls'] },
  },
];
