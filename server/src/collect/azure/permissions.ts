import { describeAzure } from './description.ts';

/** What a credential needs to read everything that is collected. */
export interface AzurePermissions {
  /** Actions of a role at the management group or the subscriptions. */
  readonly actions: readonly string[];
  /** Application permissions of Microsoft Graph. */
  readonly graph: readonly string[];
}

/** Needed whatever is collected. */
const baseActions = ['Microsoft.Authorization/permissions/read', 'Microsoft.ResourceGraph/resources/read'];
const graphType = 'microsoft.graph/';

export async function azurePermissions(): Promise<AzurePermissions> {
  const kinds = await describeAzure();
  const actions = kinds.filter(({ resourceType }) => !resourceType.startsWith(graphType));
  const graph = kinds.filter(({ resourceType }) => resourceType.startsWith(graphType));
  return {
    actions: distinct([...baseActions, ...actions.flatMap(({ permissions }) => permissions)]),
    graph: distinct(graph.flatMap(({ permissions }) => permissions)),
  };
}

/** For people: the built-in role that has all actions, the actions themselves, and the permissions of the directory. */
export function plainAzurePermissions({ actions, graph }: AzurePermissions): string {
  return [
    'The built-in role Reader, at the management group of the tenant or at each subscription, allows all of these',
    'actions. It allows no action that returns a key or the value of a secret.',
    '',
    ...actions.map((action) => `  ${action}`),
    '',
    'Application permissions of Microsoft Graph:',
    '',
    ...graph.map((permission) => `  ${permission}`),
    '',
  ].join('\n');
}

/** An application with the role Reader at the root management group, and the permissions of the directory. */
export function terraformAzurePermissions({ graph }: AzurePermissions): string {
  return `data "azuread_client_config" "current" {}

data "azuread_application_published_app_ids" "well_known" {}

data "azuread_service_principal" "graph" {
  client_id = data.azuread_application_published_app_ids.well_known.result["MicrosoftGraph"]
}

locals {
  vedette_graph_permissions = [
${graph.map((permission) => `    "${permission}",`).join('\n')}
  ]
}

resource "azuread_application" "vedette" {
  display_name = "vedette-reader"

  required_resource_access {
    resource_app_id = data.azuread_service_principal.graph.client_id

    dynamic "resource_access" {
      for_each = local.vedette_graph_permissions
      content {
        id   = data.azuread_service_principal.graph.app_role_ids[resource_access.value]
        type = "Role"
      }
    }
  }
}

resource "azuread_service_principal" "vedette" {
  client_id = azuread_application.vedette.client_id
}

resource "azuread_application_password" "vedette" {
  application_id = azuread_application.vedette.id
}

resource "azuread_app_role_assignment" "vedette" {
  for_each            = toset(local.vedette_graph_permissions)
  app_role_id         = data.azuread_service_principal.graph.app_role_ids[each.value]
  principal_object_id = azuread_service_principal.vedette.object_id
  resource_object_id  = data.azuread_service_principal.graph.object_id
}

# The root management group covers all subscriptions of the tenant.
resource "azurerm_role_assignment" "vedette" {
  scope                = "/providers/Microsoft.Management/managementGroups/\${data.azuread_client_config.current.tenant_id}"
  role_definition_name = "Reader"
  principal_id         = azuread_service_principal.vedette.object_id
}

output "vedette_client_id" {
  value = azuread_application.vedette.client_id
}

output "vedette_client_secret" {
  value     = azuread_application_password.vedette.value
  sensitive = true
}
`;
}

/** Sorted, once each, whatever their case. */
function distinct(values: readonly string[]): string[] {
  const byName = new Map(values.map((value) => [value.toLowerCase(), value]));
  return [...byName.keys()].sort().map((name) => byName.get(name) as string);
}
