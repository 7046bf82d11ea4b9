import type { CloudObject } from '../cloud-object.ts';
import { plain, row, type SubscriptionContext } from './tenant.ts';

/** The plans of Defender for Cloud. */
const plans = [
  ...['VirtualMachines', 'AppServices', 'SqlServers', 'SqlServerVirtualMachines', 'Containers', 'CosmosDbs'],
  ...['OpenSourceRelationalDatabases', 'StorageAccounts', 'KeyVaults', 'Dns', 'Arm', 'CloudPosture'],
] as const;

/** The operations about which the activity log alerts, by name of the alert. */
const operations = {
  'policyAssignments-write': 'Microsoft.Authorization/policyAssignments/write',
  'policyAssignments-delete': 'Microsoft.Authorization/policyAssignments/delete',
  'networkSecurityGroups-write': 'Microsoft.Network/networkSecurityGroups/write',
  'networkSecurityGroups-delete': 'Microsoft.Network/networkSecurityGroups/delete',
  'securityRules-write': 'Microsoft.Network/networkSecurityGroups/securityRules/write',
  'securityRules-delete': 'Microsoft.Network/networkSecurityGroups/securityRules/delete',
  'securitySolutions-write': 'Microsoft.Security/securitySolutions/write',
  'securitySolutions-delete': 'Microsoft.Security/securitySolutions/delete',
  'securityPolicies-write': 'Microsoft.Security/policies/write',
  'sqlFirewallRules-write': 'Microsoft.Sql/servers/firewallRules/write',
  'sqlFirewallRules-delete': 'Microsoft.Sql/servers/firewallRules/delete',
  'publicIPAddresses-write': 'Microsoft.Network/publicIPAddresses/write',
  'publicIPAddresses-delete': 'Microsoft.Network/publicIPAddresses/delete',
} as const;

/** Assessments of each virtual machine: system updates, endpoint protection and vulnerability assessment. */
const assessments = [
  ...['e1145ab1-eb4f-43d8-911b-36ddf771d13f', '4fb67663-9ab9-475d-b026-8c544cced439'],
  'ffff0522-1e88-47fc-8382-2a80ba848f5d',
] as const;

/** Defender for Cloud, alerts, diagnostic settings and roles. */
export function* operationResources(context: SubscriptionContext): Generator<CloudObject> {
  yield* defenderResources(context);
  yield* diagnosticSettings(context);
  const { subscription, group, resource } = context;
  const scope = `/subscriptions/${subscription.id}`;
  for (const [name, equals] of Object.entries(operations))
    yield resource('Microsoft.Insights/activityLogAlerts', name, {
      ...{ enabled: true, scopes: [scope], description: equals },
      condition: {
        allOf: [
          { field: 'category', equals: 'Administrative' },
          { field: 'operationName', equals },
        ],
      },
      actions: { actionGroups: [{ actionGroupId: `${group}/Microsoft.Insights/actionGroups/security` }] },
    });
  yield row({
    ...{ id: `${scope}/providers/Microsoft.Authorization/roleDefinitions/lock-administrator` },
    ...{ name: 'lock-administrator', type: 'microsoft.authorization/roledefinitions' },
    properties: {
      ...{ roleName: 'Lock administrator', type: 'CustomRole', assignableScopes: [scope] },
      permissions: [{ actions: ['Microsoft.Authorization/locks/*'], notActions: [] }],
    },
  });
  yield row({
    ...{ id: `${scope}/providers/Microsoft.Authorization/policyAssignments/SecurityCenterBuiltIn` },
    ...{ name: 'SecurityCenterBuiltIn', type: 'microsoft.authorization/policyassignments' },
    properties: {
      ...{ displayName: 'ASC Default', enforcementMode: 'Default', scope, notScopes: [] },
      ...{ parameters: {} },
    },
  });
}

function* defenderResources(context: SubscriptionContext): Generator<CloudObject> {
  const { company, subscription, group, child } = context;
  const security = `/subscriptions/${subscription.id}/providers/Microsoft.Security`;
  for (const plan of plans) {
    const extensions = plan === 'Containers' ? ['ContainerRegistriesVulnerabilityAssessments'] : [];
    yield row({
      ...{ id: `${security}/pricings/${plan}`, name: plan, type: 'microsoft.security/pricings' },
      properties: {
        ...{ pricingTier: 'Standard', freeTrialRemainingTime: 'PT0S' },
        extensions: extensions.map((name) => ({ name, isEnabled: 'True' })),
      },
    });
  }
  const desktops = Math.max(1, Math.ceil(company.people.length / 2));
  for (let number = 1; number <= desktops; number++)
    for (const name of assessments) {
      const machine = `${group}/Microsoft.Compute/virtualMachines/desktop-${number}`;
      yield row({
        ...{ id: `${machine}/providers/Microsoft.Security/assessments/${name}`, name },
        type: 'microsoft.security/assessments',
        properties: { status: { code: 'Healthy' }, resourceDetails: { Source: 'Azure', Id: machine } },
      });
    }
  const setting = (path: string, properties: object, more: object = {}) =>
    child(`/subscriptions/${subscription.id}`, `providers/Microsoft.Security/${path}`, properties, more);
  yield setting('securityContacts/default', {
    ...{ isEnabled: true, emails: `security@${company.domain}`, phone: '+49 30 555 0100' },
    notificationsByRole: { state: 'On', roles: ['Owner'] },
    notificationsSources: [{ sourceType: 'Alert', minimalSeverity: 'Medium' }],
  });
  for (const name of ['MCAS', 'WDATP'])
    yield setting(`settings/${name}`, { enabled: true }, { kind: 'DataExportSettings' });
  yield setting('autoProvisioningSettings/default', { autoProvision: 'On' });
}

function* diagnosticSettings(context: SubscriptionContext): Generator<CloudObject> {
  const { company, subscription, group, child } = context;
  const { use, id } = subscription;
  const storageAccountId = `${group}/Microsoft.Storage/storageAccounts/${plain(company)}${use}logs`;
  const workspaceId = `${group}/Microsoft.OperationalInsights/workspaces/logs`;
  const to = (parent: string, categories: readonly string[]) =>
    child(parent, 'providers/Microsoft.Insights/diagnosticSettings/security', {
      ...{ storageAccountId, workspaceId, metrics: [] },
      logs: categories.map((category) => ({ category, enabled: true })),
    });
  yield to(`/subscriptions/${id}`, ['Administrative', 'Security', 'Alert', 'Policy', 'ServiceHealth']);
  for (const account of [use, `${use}logs`])
    for (const service of ['blobServices', 'queueServices', 'tableServices', 'fileServices'])
      yield to(`${group}/Microsoft.Storage/storageAccounts/${plain(company)}${account}/${service}/default`, [
        ...['StorageRead', 'StorageWrite', 'StorageDelete'],
      ]);
  const name = `${plain(company)}-${use}`;
  yield to(`${group}/Microsoft.KeyVault/vaults/${name}`, ['AuditEvent']);
  for (const site of [name, `${name}-blog`, `${name}-reports`])
    yield to(`${group}/Microsoft.Web/sites/${site}`, ['AppServiceHTTPLogs', 'AppServiceAuditLogs']);
}
