import type { Company } from '../company/company.ts';
import { type CloudObject, cloudObject, uuidOf } from './cloud-object.ts';

const location = 'westeurope';
const plain = ({ name }: Company) => name.toLowerCase();

/** The subscriptions by their use, and their ids. */
function subscriptionsOf(company: Company) {
  return ['office', 'sandbox'].map((use) => ({ use, id: uuidOf(company, 'subscription', use) }));
}

const groupOf = (subscription: string) => `/subscriptions/${subscription}/resourceGroups/main`;

/** The ids of resources that others refer to. */
export function azureIds(company: Company) {
  const group = groupOf(uuidOf(company, 'subscription', 'office'));
  return {
    securityGroup: `${group}/providers/Microsoft.Network/networkSecurityGroups/desktops`,
    storageAccount: `${group}/providers/Microsoft.Storage/storageAccounts/${plain(company)}office`,
    database: `${group}/providers/Microsoft.Sql/servers/${plain(company)}-office`,
    vault: `${group}/providers/Microsoft.KeyVault/vaults/${plain(company)}-office`,
  };
}

/** The resources of the tenant as rows of Azure Resource Graph. */
export function* azureRows(company: Company, today: number): Generator<CloudObject> {
  const tenantId = uuidOf(company, 'tenant');
  for (const { use, id: subscriptionId } of subscriptionsOf(company)) {
    const common = { tenantId, subscriptionId };
    yield row({
      ...{ id: `/subscriptions/${subscriptionId}`, name: `${company.name} ${use}`, ...common },
      ...{ type: 'microsoft.resources/subscriptions', properties: { state: 'Enabled' } },
    });
    const group = groupOf(subscriptionId);
    const resource = (type: string, name: string, properties: object, more: object = {}) =>
      row({
        ...{ id: `${group}/providers/${type}/${name}`, name, type: type.toLowerCase(), location, ...common },
        ...{ resourceGroup: 'main', tags: { use }, properties, ...more },
      });
    yield resource('Microsoft.Network/virtualNetworks', 'main', {
      addressSpace: { addressPrefixes: ['10.180.0.0/16'] },
      subnets: [{ name: 'default', properties: { addressPrefix: '10.180.0.0/24' } }],
    });
    yield resource('Microsoft.Network/networkSecurityGroups', 'desktops', {
      securityRules: [],
      defaultSecurityRules: [],
    });
    const desktops = Math.max(1, Math.ceil(company.people.length / 2));
    for (let number = 1; number <= desktops; number++) {
      const name = `desktop-${number}`;
      yield resource(
        'Microsoft.Compute/virtualMachines',
        name,
        {
          ...{ vmId: uuidOf(company, 'vm', use, number), hardwareProfile: { vmSize: 'Standard_D2s_v5' } },
          osProfile: { computerName: name, linuxConfiguration: { disablePasswordAuthentication: true } },
          storageProfile: {
            osDisk: {
              osType: 'Linux',
              managedDisk: { id: `${group}/providers/Microsoft.Compute/disks/${name}` },
            },
          },
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
    }
    const endpoint = [{ properties: { privateLinkServiceConnectionState: { status: 'Approved' } } }];
    yield resource(
      'Microsoft.Storage/storageAccounts',
      `${plain(company)}${use}`,
      {
        ...{ supportsHttpsTrafficOnly: true, allowBlobPublicAccess: false, minimumTlsVersion: 'TLS1_2' },
        ...{
          publicNetworkAccess: 'Disabled',
          allowSharedKeyAccess: false,
          defaultToOAuthAuthentication: true,
        },
        networkAcls: { defaultAction: 'Deny', bypass: 'AzureServices', ipRules: [], virtualNetworkRules: [] },
        encryption: {
          ...{ keySource: 'Microsoft.Keyvault', requireInfrastructureEncryption: true },
          services: { blob: { enabled: true }, file: { enabled: true } },
        },
        ...{ keyPolicy: { keyExpirationPeriodInDays: 60 }, privateEndpointConnections: endpoint },
      },
      { sku: { name: 'Standard_GRS', tier: 'Standard' }, kind: 'StorageV2' },
    );
    yield resource('Microsoft.Sql/servers', `${plain(company)}-${use}`, {
      ...{ version: '12.0', state: 'Ready', minimalTlsVersion: '1.2', publicNetworkAccess: 'Disabled' },
      administrators: { administratorType: 'ActiveDirectory', azureADOnlyAuthentication: true },
      privateEndpointConnections: endpoint,
    });
    yield resource('Microsoft.KeyVault/vaults', `${plain(company)}-${use}`, {
      ...{ tenantId, enableSoftDelete: true, enablePurgeProtection: true, enableRbacAuthorization: true },
      ...{
        publicNetworkAccess: 'Disabled',
        softDeleteRetentionInDays: 90,
        sku: { family: 'A', name: 'standard' },
      },
      networkAcls: { defaultAction: 'Deny', bypass: 'AzureServices' },
      privateEndpointConnections: endpoint,
    });
  }
}

function row(value: {
  readonly id: string;
  readonly type: string;
  readonly [name: string]: unknown;
}): CloudObject {
  return cloudObject(value.type, value.id, value);
}
