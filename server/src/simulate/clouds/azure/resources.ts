import type { Company } from '../../company/company.ts';
import { isoSeconds, millisecondsPerHour } from '../../hour.ts';
import { type CloudObject, uuidOf } from '../cloud-object.ts';
import { databaseResources } from './databases.ts';
import { directoryObjects } from './directory.ts';
import { operationResources } from './operations.ts';
import {
  azureTenant,
  created,
  location,
  plain,
  row,
  type SubscriptionContext,
  subscriptionContext,
  subscriptionsOf,
} from './tenant.ts';

const day = 24 * millisecondsPerHour;

/** The resources of the tenant, as Resource Graph, the management plane and Microsoft Graph return them. */
export function* azureObjects(company: Company, today: number): Generator<CloudObject> {
  yield* directoryObjects(company);
  for (const subscription of subscriptionsOf(company)) {
    const context = subscriptionContext(company, subscription, today);
    const { id, name } = subscription;
    yield row({
      ...{ id: `/subscriptions/${id}`, name, tenantId: azureTenant(company), subscriptionId: id },
      ...{ type: 'microsoft.resources/subscriptions', properties: { state: 'Enabled' } },
    });
    yield* networkResources(context);
    yield* desktopResources(context);
    yield* storageResources(context);
    yield* vaultResources(context);
    yield* siteResources(context);
    yield* deviceResources(context);
    yield* databaseResources(context);
    yield* operationResources(context);
  }
}

function* networkResources({
  company,
  subscription,
  group,
  resource,
}: SubscriptionContext): Generator<CloudObject> {
  yield resource('Microsoft.Network/virtualNetworks', 'main', {
    addressSpace: { addressPrefixes: ['10.180.0.0/16'] },
    subnets: [{ name: 'default', properties: { addressPrefix: '10.180.0.0/24' } }],
  });
  yield resource('Microsoft.Network/networkSecurityGroups', 'desktops', {
    ...{ securityRules: [], defaultSecurityRules: [], provisioningState: 'Succeeded' },
  });
  const watcher = `NetworkWatcher_${location}`;
  yield resource('Microsoft.Network/networkWatchers', watcher, { provisioningState: 'Succeeded' });
  const flowLog = `${group}/Microsoft.Network/networkWatchers/${watcher}/flowLogs/desktops`;
  yield row({
    ...{ id: flowLog, name: 'desktops', type: 'microsoft.network/networkwatchers/flowlogs', location },
    ...{ subscriptionId: subscription.id, tenantId: azureTenant(company) },
    properties: {
      ...{ enabled: true, targetResourceId: `${group}/Microsoft.Network/networkSecurityGroups/desktops` },
      storageId: `${group}/Microsoft.Storage/storageAccounts/${plain(company)}${subscription.use}logs`,
      ...{ format: { type: 'JSON', version: 2 }, retentionPolicy: { enabled: true, days: 120 } },
      flowAnalyticsConfiguration: {
        networkWatcherFlowAnalyticsConfiguration: {
          ...{ enabled: true, workspaceRegion: location, trafficAnalyticsInterval: 10 },
          workspaceResourceId: `${group}/Microsoft.OperationalInsights/workspaces/logs`,
        },
      },
    },
  });
}

function* desktopResources(context: SubscriptionContext): Generator<CloudObject> {
  const { company, subscription, today, group, resource } = context;
  const encryption = {
    type: 'EncryptionAtRestWithPlatformAndCustomerKeys',
    diskEncryptionSetId: `${group}/Microsoft.Compute/diskEncryptionSets/disks`,
  };
  const closed = { networkAccessPolicy: 'DenyAll', publicNetworkAccess: 'Disabled', timeCreated: created };
  yield resource('Microsoft.Compute/disks', 'archive', {
    ...{ diskState: 'Unattached', diskSizeGB: 256, provisioningState: 'Succeeded', ...closed, encryption },
  });
  const desktops = Math.max(1, Math.ceil(company.people.length / 2));
  for (let number = 1; number <= desktops; number++) {
    const name = `desktop-${number}`;
    const disk = `${group}/Microsoft.Compute/disks/${name}`;
    yield resource(
      'Microsoft.Compute/virtualMachines',
      name,
      {
        ...{ vmId: uuidOf(company, 'vm', subscription.use, number) },
        ...{ hardwareProfile: { vmSize: 'Standard_D2s_v5' }, provisioningState: 'Succeeded' },
        osProfile: { computerName: name, linuxConfiguration: { disablePasswordAuthentication: true } },
        storageProfile: { osDisk: { osType: 'Linux', managedDisk: { id: disk } }, dataDisks: [] },
        securityProfile: {
          ...{ securityType: 'TrustedLaunch', encryptionAtHost: true },
          uefiSettings: { secureBootEnabled: true, vTpmEnabled: true },
        },
        // Desktops are off on Sundays.
        extended: {
          instanceView: {
            powerState: {
              code: new Date(today).getUTCDay() === 0 ? 'PowerState/deallocated' : 'PowerState/running',
            },
          },
        },
      },
      { identity: { type: 'SystemAssigned' } },
    );
    yield resource('Microsoft.Compute/disks', name, {
      ...{ diskState: 'Attached', osType: 'Linux', diskSizeGB: 64, provisioningState: 'Succeeded' },
      ...{ ...closed, encryption },
    });
    yield resource('Microsoft.Compute/virtualMachines/extensions', `${name}/extensions/monitor`, {
      ...{ publisher: 'Microsoft.Azure.Monitor', type: 'AzureMonitorLinuxAgent', settings: {} },
      ...{ typeHandlerVersion: '1.33', autoUpgradeMinorVersion: true, provisioningState: 'Succeeded' },
    });
  }
}

/** A hub for the devices in the warehouse, with the solution of Defender that watches it. */
function* deviceResources({ group, resource, endpoint }: SubscriptionContext): Generator<CloudObject> {
  yield resource(
    'Microsoft.Devices/IotHubs',
    'warehouse',
    {
      ...{ state: 'Active', publicNetworkAccess: 'Disabled', disableLocalAuth: true, minTlsVersion: '1.2' },
      privateEndpointConnections: endpoint,
    },
    { sku: { name: 'S1', tier: 'Standard', capacity: 1 } },
  );
  yield resource('Microsoft.Security/iotSecuritySolutions', 'warehouse', {
    ...{ displayName: 'Warehouse', status: 'Enabled', disabledDataSources: [] },
    iotHubs: [`${group}/Microsoft.Devices/IotHubs/warehouse`],
  });
}

function* storageResources(context: SubscriptionContext): Generator<CloudObject> {
  const { company, subscription, today, group, resource, child, endpoint } = context;
  // Keys are replaced every 60 days.
  const rotated = isoSeconds(today - ((today / day) % 60) * day);
  for (const name of [subscription.use, `${subscription.use}logs`].map((use) => plain(company) + use)) {
    const id = `${group}/Microsoft.Storage/storageAccounts/${name}`;
    yield resource(
      'Microsoft.Storage/storageAccounts',
      name,
      {
        ...{ supportsHttpsTrafficOnly: true, allowBlobPublicAccess: false, minimumTlsVersion: 'TLS1_2' },
        ...{ publicNetworkAccess: 'Disabled', allowSharedKeyAccess: false, provisioningState: 'Succeeded' },
        defaultToOAuthAuthentication: true,
        networkAcls: { defaultAction: 'Deny', bypass: 'AzureServices', ipRules: [], virtualNetworkRules: [] },
        encryption: {
          ...{ keySource: 'Microsoft.Keyvault', requireInfrastructureEncryption: true },
          services: { blob: { enabled: true }, file: { enabled: true } },
        },
        ...{ keyPolicy: { keyExpirationPeriodInDays: 60 }, privateEndpointConnections: endpoint },
        keyCreationTime: { key1: rotated, key2: rotated },
      },
      { sku: { name: 'Standard_GRS', tier: 'Standard' }, kind: 'StorageV2' },
    );
    yield child(id, 'blobServices/default', {
      ...{ isVersioningEnabled: true, changeFeed: { enabled: true }, cors: { corsRules: [] } },
      deleteRetentionPolicy: { enabled: true, days: 14 },
      containerDeleteRetentionPolicy: { enabled: true, days: 14 },
    });
    yield child(id, 'fileServices/default', {
      ...{ shareDeleteRetentionPolicy: { enabled: true, days: 14 }, cors: { corsRules: [] } },
      protocolSettings: { smb: { versions: 'SMB3.1.1;' } },
    });
  }
}

function* vaultResources(context: SubscriptionContext): Generator<CloudObject> {
  const { company, subscription, today, group, resource, child, endpoint } = context;
  const name = `${plain(company)}-${subscription.use}`;
  yield resource('Microsoft.KeyVault/vaults', name, {
    ...{ tenantId: azureTenant(company), sku: { family: 'A', name: 'standard' } },
    ...{ enableSoftDelete: true, enablePurgeProtection: true, enableRbacAuthorization: true },
    ...{ publicNetworkAccess: 'Disabled', softDeleteRetentionInDays: 90 },
    networkAcls: { defaultAction: 'Deny', bypass: 'AzureServices' },
    privateEndpointConnections: endpoint,
  });
  const vault = `${group}/Microsoft.KeyVault/vaults/${name}`;
  const seconds = Math.floor(today / 1_000);
  const attributes = { enabled: true, exp: seconds + 180 * 86_400, created: seconds - 90 * 86_400 };
  for (const key of ['disks', 'databases'])
    yield child(vault, `keys/${key}`, {
      ...{ attributes, kty: 'RSA', keySize: 3072, keyUri: `https://${name}.vault.azure.net/keys/${key}` },
      rotationPolicy: {
        attributes: { expiryTime: 'P1Y' },
        lifetimeActions: [{ trigger: { timeAfterCreate: 'P300D' }, action: { type: 'rotate' } }],
      },
    });
  yield child(vault, 'secrets/smtp', {
    ...{ attributes, contentType: 'text/plain', secretUri: `https://${name}.vault.azure.net/secrets/smtp` },
  });
}

/** The runtime of each web application, by what its name ends with. */
const runtimes = { '': 'PYTHON|3.12', '-blog': 'PHP|8.3', '-reports': 'JAVA|21-java21' } as const;

function* siteResources(context: SubscriptionContext): Generator<CloudObject> {
  const { company, subscription, group, resource, child } = context;
  for (const [end, linuxFxVersion] of Object.entries(runtimes)) {
    const name = `${plain(company)}-${subscription.use}${end}`;
    yield resource(
      'Microsoft.Web/sites',
      name,
      {
        ...{ state: 'Running', enabled: true, httpsOnly: true, defaultHostName: `${name}.azurewebsites.net` },
        ...{ clientCertEnabled: true, clientCertMode: 'Required', publicNetworkAccess: 'Disabled' },
        siteConfig: { numberOfWorkers: 1, linuxFxVersion },
      },
      { kind: 'app,linux', identity: { type: 'SystemAssigned', principalId: uuidOf(company, 'site', name) } },
    );
    const site = `${group}/Microsoft.Web/sites/${name}`;
    yield child(site, 'config/web', {
      ...{ linuxFxVersion, minTlsVersion: '1.2', scmMinTlsVersion: '1.2', alwaysOn: true, phpVersion: '' },
      ...{ ftpsState: 'Disabled', http20Enabled: true, remoteDebuggingEnabled: false, pythonVersion: '' },
      ...{ httpLoggingEnabled: true, cors: { allowedOrigins: [`https://${company.domain}`] } },
    });
    yield child(site, 'config/authsettingsV2', {
      platform: { enabled: true, runtimeVersion: '~1' },
      globalValidation: { requireAuthentication: true, unauthenticatedClientAction: 'RedirectToLoginPage' },
    });
  }
}
