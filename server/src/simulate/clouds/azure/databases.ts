import { type CloudObject, uuidOf } from '../cloud-object.ts';
import { azureTenant, created, plain, type SubscriptionContext } from './tenant.ts';

/** The parameters that the benchmark looks at, as the servers of the company have them. */
const postgresql = {
  ...{ require_secure_transport: 'on', log_checkpoints: 'on', log_connections: 'on' },
  ...{ log_disconnections: 'on', 'connection_throttle.enable': 'on', 'logfiles.retention_days': '7' },
};
const mysql = {
  ...{ require_secure_transport: 'ON', tls_version: 'TLSv1.2,TLSv1.3', audit_log_enabled: 'ON' },
  audit_log_events: 'CONNECTION,ADMIN,DCL',
};

/** SQL servers, PostgreSQL, MySQL and Cosmos DB. */
export function* databaseResources(context: SubscriptionContext): Generator<CloudObject> {
  yield* sqlResources(context);
  const { company, subscription, group, resource, child, endpoint } = context;
  const name = `${plain(company)}-${subscription.use}`;
  const flexible = {
    ...{ state: 'Ready', network: { publicNetworkAccess: 'Disabled' }, privateEndpointConnections: endpoint },
    ...{ backup: { backupRetentionDays: 14, geoRedundantBackup: 'Enabled' } },
    ...{ highAvailability: { mode: 'ZoneRedundant' }, dataEncryption: { type: 'AzureKeyVault' } },
  };
  const servers = [
    ['Microsoft.DBforPostgreSQL', '16', postgresql],
    ['Microsoft.DBforMySQL', '8.0.21', mysql],
  ] as const;
  for (const [namespace, version, parameters] of servers) {
    const authConfig = { activeDirectoryAuth: 'Enabled', passwordAuth: 'Disabled' };
    yield resource(
      `${namespace}/flexibleServers`,
      name,
      { ...flexible, version, ...(parameters === postgresql && { authConfig }) },
      { sku: { name: 'Standard_D2ds_v5', tier: 'GeneralPurpose' } },
    );
    const server = `${group}/${namespace}/flexibleServers/${name}`;
    for (const [parameter, value] of Object.entries(parameters))
      yield child(server, `configurations/${parameter}`, { value, source: 'user-override' });
    yield child(server, 'firewallRules/office', {
      ...{ startIpAddress: '203.0.113.0', endIpAddress: '203.0.113.255' },
    });
  }
  yield resource('Microsoft.DBforPostgreSQL/servers', `${name}-old`, {
    ...{ version: '11', userVisibleState: 'Ready', sslEnforcement: 'Enabled', minimalTlsVersion: 'TLS1_2' },
    ...{ infrastructureEncryption: 'Enabled', publicNetworkAccess: 'Disabled' },
    ...{ storageProfile: { geoRedundantBackup: 'Enabled' }, privateEndpointConnections: endpoint },
  });
  yield resource(
    'Microsoft.DocumentDB/databaseAccounts',
    name,
    {
      ...{ publicNetworkAccess: 'Disabled', isVirtualNetworkFilterEnabled: true, ipRules: [] },
      virtualNetworkRules: [{ id: `${group}/Microsoft.Network/virtualNetworks/main/subnets/default` }],
      ...{ disableLocalAuth: true, disableKeyBasedMetadataWriteAccess: true, minimalTlsVersion: 'Tls12' },
      ...{ keyVaultKeyUri: `https://${name}.vault.azure.net/keys/databases`, provisioningState: 'Succeeded' },
      privateEndpointConnections: endpoint,
    },
    { kind: 'GlobalDocumentDB' },
  );
}

function* sqlResources(context: SubscriptionContext): Generator<CloudObject> {
  const { company, subscription, group, resource, child, endpoint } = context;
  const name = `${plain(company)}-${subscription.use}`;
  const emails = [`security@${company.domain}`];
  yield resource('Microsoft.Sql/servers', name, {
    ...{ version: '12.0', state: 'Ready', minimalTlsVersion: '1.2', publicNetworkAccess: 'Disabled' },
    administrators: {
      ...{ administratorType: 'ActiveDirectory', azureADOnlyAuthentication: true },
      ...{ login: 'database-administrators', tenantId: azureTenant(company) },
    },
    privateEndpointConnections: endpoint,
  });
  const server = `${group}/Microsoft.Sql/servers/${name}`;
  yield child(server, 'administrators/ActiveDirectory', {
    ...{ administratorType: 'ActiveDirectory', login: 'database-administrators' },
    ...{ sid: uuidOf(company, 'database-administrators'), tenantId: azureTenant(company) },
  });
  yield child(server, 'auditingSettings/default', {
    ...{ state: 'Enabled', retentionDays: 120, isAzureMonitorTargetEnabled: true },
    storageEndpoint: `https://${plain(company)}${subscription.use}logs.blob.core.windows.net/`,
    auditActionsAndGroups: [
      ...['SUCCESSFUL_DATABASE_AUTHENTICATION_GROUP', 'FAILED_DATABASE_AUTHENTICATION_GROUP'],
      'BATCH_COMPLETED_GROUP',
    ],
  });
  yield child(server, 'encryptionProtector/current', {
    ...{ serverKeyType: 'AzureKeyVault', serverKeyName: `${name}_databases`, autoRotationEnabled: true },
    uri: `https://${name}.vault.azure.net/keys/databases`,
  });
  yield child(server, 'firewallRules/office', {
    ...{ startIpAddress: '203.0.113.0', endIpAddress: '203.0.113.255' },
  });
  yield child(server, 'securityAlertPolicies/Default', {
    ...{ state: 'Enabled', emailAccountAdmins: true, emailAddresses: emails, disabledAlerts: [''] },
    creationTime: created,
  });
  yield child(server, 'vulnerabilityAssessments/default', {
    storageContainerPath: `https://${plain(company)}${subscription.use}logs.blob.core.windows.net/scans/`,
    recurringScans: { isEnabled: true, emailSubscriptionAdmins: true, emails },
  });
  for (const database of ['ledger', 'inventory']) {
    yield resource(
      'Microsoft.Sql/servers/databases',
      `${name}/databases/${database}`,
      { status: 'Online', creationDate: created, requestedBackupStorageRedundancy: 'Geo' },
      { kind: 'v12.0,user,vcore', sku: { name: 'GP_Gen5', tier: 'GeneralPurpose' } },
    );
    const id = `${server}/databases/${database}`;
    yield child(id, 'transparentDataEncryption/current', { state: 'Enabled' });
    yield child(id, 'backupLongTermRetentionPolicies/default', { weeklyRetention: 'P4W' });
  }
}
