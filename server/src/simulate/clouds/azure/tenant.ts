import type { Company } from '../../company/company.ts';
import { type CloudObject, cloudObject, uuidOf } from '../cloud-object.ts';

export const location = 'westeurope';
export const created = '2025-05-20T09:00:00Z';

export interface Subscription {
  readonly use: string;
  readonly id: string;
  readonly name: string;
}

export function azureTenant(company: Company): string {
  return uuidOf(company, 'tenant');
}

/** The subscriptions by their use. */
export function subscriptionsOf(company: Company): Subscription[] {
  return ['office', 'sandbox'].map((use) => ({
    ...{ use, id: uuidOf(company, 'subscription', use), name: `${company.name} ${use}` },
  }));
}

/** Names that must be unique in the world are made of the company's. */
export const plain = ({ name }: Company) => name.toLowerCase();

/** The ids of the resources that planted misconfigurations are about. */
export function azureIds(company: Company) {
  const subscription = `/subscriptions/${uuidOf(company, 'subscription', 'office')}`;
  const group = `${subscription}/resourceGroups/main/providers`;
  const name = plain(company);
  const server = `${group}/Microsoft.Sql/servers/${name}-office`;
  return {
    subscription,
    organization: azureTenant(company),
    securityGroup: `${group}/Microsoft.Network/networkSecurityGroups/desktops`,
    storageAccount: `${group}/Microsoft.Storage/storageAccounts/${name}office`,
    logAccount: `${group}/Microsoft.Storage/storageAccounts/${name}officelogs`,
    desktop: `${group}/Microsoft.Compute/virtualMachines/desktop-1`,
    disk: `${group}/Microsoft.Compute/disks/desktop-1`,
    database: server,
    audit: `${server}/auditingSettings/default`,
    encryption: `${server}/databases/ledger/transparentDataEncryption/current`,
    encrypted: `${server}/databases/ledger`,
    postgresql: `${group}/Microsoft.DBforPostgreSQL/flexibleServers/${name}-office`,
    checkpoints: `${group}/Microsoft.DBforPostgreSQL/flexibleServers/${name}-office/configurations/log_checkpoints`,
    vault: `${group}/Microsoft.KeyVault/vaults/${name}-office`,
    key: `${group}/Microsoft.KeyVault/vaults/${name}-office/keys/disks`,
    site: `${group}/Microsoft.Web/sites/${name}-office`,
    siteConfig: `${group}/Microsoft.Web/sites/${name}-office/config/web`,
    serverPlan: `${subscription}/providers/Microsoft.Security/pricings/VirtualMachines`,
    contact: `${subscription}/providers/Microsoft.Security/securityContacts/default`,
    alert: `${group}/Microsoft.Insights/activityLogAlerts/networkSecurityGroups-write`,
  };
}

/** What the resources of a subscription need to know of it. */
export interface SubscriptionContext {
  readonly company: Company;
  readonly subscription: Subscription;
  readonly today: number;
  /** The path of its resource group, and of providers in it. */
  readonly group: string;
  /** A resource of the resource group; a nested one is named `parent/type/name`. */
  resource(type: string, name: string, properties: object, more?: object): CloudObject;
  /** What is read below a resource, or below the subscription. */
  child(parent: string, path: string, properties: object, more?: object): CloudObject;
  /** An approved private endpoint. */
  readonly endpoint: readonly object[];
}

export function subscriptionContext(
  company: Company,
  subscription: Subscription,
  today: number,
): SubscriptionContext {
  const { id: subscriptionId, use } = subscription;
  const group = `/subscriptions/${subscriptionId}/resourceGroups/main/providers`;
  const common = { tenantId: azureTenant(company), subscriptionId };
  return {
    ...{ company, subscription, today, group },
    resource: (type, name, properties, more = {}) =>
      row({
        ...{ id: `${group}/${type.split('/', 2).join('/')}/${name}`, type: type.toLowerCase() },
        name: name.split('/').at(-1),
        ...{ ...common, location, resourceGroup: 'main', tags: { use }, properties, ...more },
      }),
    child: (parent, path, properties, more = {}) => {
      const id = `${parent}/${path}`;
      return row({ id, name: path.split('/').at(-1), type: typeIn(id), properties, ...more });
    },
    endpoint: [
      {
        ...{ name: 'endpoint', id: `${group}/Microsoft.Network/privateEndpoints/main` },
        properties: { privateLinkServiceConnectionState: { status: 'Approved' } },
      },
    ],
  };
}

/** The type of the resource with the id, in lower case. */
function typeIn(id: string): string {
  const [namespace = '', ...rest] = (id.split('/providers/').at(-1) as string).split('/');
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join('/').toLowerCase();
}

export function row(value: {
  readonly id: string;
  readonly type: string;
  readonly [name: string]: unknown;
}): CloudObject {
  return cloudObject(value.type, value.id, value);
}
