import { everyone } from './aws/ec2.ts';
import { append, data, properties, removed, set, within } from './change.ts';

const allUsers = 'http://acs.amazonaws.com/groups/global/AllUsers';
const rbac = 'rbac.authorization.k8s.io';

/** Makes the planted misconfigurations, by their ids; undefined removes the object. */
export const plantedChanges: Readonly<Record<string, (value: never) => unknown>> = {
  'aws-root-access-key': within('SummaryMap', { AccountAccessKeysPresent: 1 }),
  'aws-root-without-mfa': within('SummaryMap', { AccountMFAEnabled: 0 }),
  'aws-short-passwords': within('PasswordPolicy', { MinimumPasswordLength: 8 }),
  'aws-full-admin-policy': within('PolicyVersionList', ([version]: [object]) => [
    { ...version, Document: { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] } },
  ]),
  'aws-user-without-mfa': set({ mfa_active: 'false' }),
  'aws-old-access-key': set({
    access_key_1_active: 'true',
    access_key_1_last_rotated: '2024-08-01T08:00:00+00:00',
  }),
  'aws-public-bucket': within(
    'Grants',
    append({ Grantee: { Type: 'Group', URI: allUsers }, Permission: 'READ' }),
  ),
  'aws-bucket-without-block': removed,
  'aws-account-without-block': removed,
  'aws-bucket-without-versions': () => ({}),
  'aws-open-ssh': within('IpPermissions', append(everyone(22))),
  'aws-imdsv1': within('MetadataOptions', { HttpTokens: 'optional' }),
  'aws-vpc-without-flow-logs': removed,
  'aws-stopped-trail': set({ IsLogging: false }),
  'aws-key-without-rotation': set({ KeyRotationEnabled: false }),
  'aws-public-database': set({ PubliclyAccessible: true, StorageEncrypted: false }),
  'aws-public-function': set({
    Policy:
      '{"Statement":[{"Effect":"Allow","Principal":"*","Action":"lambda:InvokeFunction","Resource":"*"}]}',
  }),
  'aws-public-cluster-endpoint': within('cluster.resourcesVpcConfig', {
    ...{ endpointPublicAccess: true, publicAccessCidrs: ['0.0.0.0/0'] },
  }),
  'aws-cluster-secrets-without-key': within('cluster', { encryptionConfig: [] }),
  'gcp-foreign-owner': within(
    'iamPolicy.bindings',
    append({ role: 'roles/owner', members: ['user:helper@elsewhere.example'] }),
  ),
  'gcp-open-ssh': data({ sourceRanges: ['0.0.0.0/0'] }),
  'gcp-public-bucket': within('iamPolicy', {
    bindings: [{ role: 'roles/storage.objectViewer', members: ['allUsers'] }],
  }),
  'gcp-open-database': within('resource.data', (value: object) => ({
    ...(within('settings.ipConfiguration', { authorizedNetworks: [{ value: '0.0.0.0/0' }] })({
      ...value,
    }) as object),
    ipAddresses: [{ type: 'PRIMARY', ipAddress: '192.0.2.10' }],
  })),
  'gcp-user-managed-key': data({ keyType: 'USER_MANAGED', validAfterTime: '2024-08-01T08:00:00Z' }),
  'gcp-key-without-rotation': data({ rotationPeriod: undefined }),
  'gcp-public-instance': data({
    ...{ canIpForward: true, metadata: { items: [{ key: 'serial-port-enable', value: 'true' }] } },
    networkInterfaces: [{ accessConfigs: [{ natIP: '192.0.2.20' }] }],
  }),
  'gcp-disk-without-key': data({ diskEncryptionKey: undefined }),
  'gcp-unlogged-subnet': data({
    enableFlowLogs: false,
    logConfig: { enable: false },
    privateIpGoogleAccess: false,
  }),
  'gcp-weak-tls': data({ sslPolicy: undefined }),
  'gcp-unsigned-zone': data({ state: 'OFF' }, 'dnssecConfig'),
  'gcp-unlogged-dns': data({ enableLogging: false }),
  'gcp-disabled-metric': data({ disabled: true }),
  'gcp-public-dataset': within(
    'resource.data.access',
    append({ role: 'READER', specialGroup: 'allAuthenticatedUsers' }),
  ),
  'gke-public-cluster': data({
    masterAuthorizedNetworksConfig: {},
    privateClusterConfig: {},
    networkPolicy: {},
  }),
  'gke-unobserved-cluster': data({ loggingService: 'none', monitoringService: 'none' }),
  'gke-legacy-access': within('resource.data', (value: object) => ({
    ...(within('masterAuth', { username: 'admin' })({ ...value }) as object),
    ...{ legacyAbac: { enabled: true }, addonsConfig: { kubernetesDashboard: {} } },
  })),
  'gke-unmanaged-nodes': data({ management: {} }),
  'gke-powerful-nodes': data(
    { imageType: 'UBUNTU', oauthScopes: ['https://www.googleapis.com/auth/cloud-platform'] },
    'config',
  ),
  'azure-open-rdp': properties({
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
  'azure-public-blobs': properties({ allowBlobPublicAccess: true, supportsHttpsTrafficOnly: false }),
  'azure-public-database': properties({ publicNetworkAccess: 'Enabled', minimalTlsVersion: '1.0' }),
  'azure-unprotected-vault': properties({ enablePurgeProtection: undefined }),
  'azure-servers-without-defender': properties({ pricingTier: 'Free' }),
  'azure-owners-not-notified': properties({ notificationsByRole: { state: 'Off', roles: [] } }),
  'azure-disabled-alert': properties({ enabled: false }),
  'azure-unaudited-database': properties({ state: 'Disabled' }),
  'azure-unencrypted-database': properties({ state: 'Disabled' }),
  'azure-pg-checkpoints': properties({ value: 'off' }),
  'azure-disk-without-key': properties({ encryption: { type: 'EncryptionAtRestWithPlatformKey' } }),
  'azure-eternal-key': properties({ attributes: { enabled: true }, rotationPolicy: undefined }),
  'azure-site-over-http': properties({ httpsOnly: false }),
  'azure-site-weak': properties({ minTlsVersion: '1.0', ftpsState: 'AllAllowed' }),
  'azure-open-invitations': set({
    allowInvitesFrom: 'everyone',
    guestUserRoleId: 'a0b1b346-4d3e-4e8b-98f8-753987be4970',
  }),
  'azure-admin-without-mfa': set({ isMfaRegistered: false, isMfaCapable: false, methodsRegistered: [] }),
  'azure-everywhere-allowed': set({ state: 'disabled' }),
  'k8s-cluster-admin': set({ roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' } }),
  'k8s-wildcard-role': set({ rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
  'k8s-privileged-pod': within('spec', ({ containers, ...spec }: { containers: readonly object[] }) => ({
    ...{ ...spec, hostPID: true, hostNetwork: true },
    containers: containers.map((one) => ({ ...one, securityContext: { privileged: true } })),
  })),
  'k8s-open-kubelet': set({
    authentication: { anonymous: { enabled: true }, x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' } },
    authorization: { mode: 'AlwaysAllow' },
  }),
  'k8s-open-namespace': removed,
  'k8s-ingress-without-tls': within('spec', { tls: [] }),
};
