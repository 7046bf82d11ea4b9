import { describeGcp } from './description.ts';

/** The least rights that a collection needs. */
export interface GcpPermissions {
  /** For a custom role. */
  readonly permissions: readonly string[];
  /** The predefined role that has them. */
  readonly role: string;
  /** APIs that must be enabled in the project of the credentials. */
  readonly apis: readonly string[];
  readonly plain: string;
  readonly terraform: string;
}

const role = 'roles/cloudasset.viewer';
const apis = ['cloudasset.googleapis.com'];

export async function gcpPermissions(): Promise<GcpPermissions> {
  const permissions = [...new Set((await describeGcp()).flatMap((kind) => kind.permissions))].sort();
  return { permissions, role, apis, plain: plain(permissions), terraform: terraform(permissions) };
}

function plain(permissions: readonly string[]): string {
  return [
    `Grant on the project, folder or organization that is collected: ${role}, or a role with`,
    ...permissions.map((permission) => `  ${permission}`),
    `Enable in the project of the credentials: ${apis.join(', ')}`,
    'A user, other than a service account, also needs serviceusage.services.use in the quota project.',
    '',
  ].join('\n');
}

function terraform(permissions: readonly string[]): string {
  return `variable "project" {
  description = "Project of the service account, and the one to collect without an organization."
  type        = string
}

variable "organization" {
  description = "Number of the organization to collect; empty for the project alone."
  type        = string
  default     = ""
}

locals {
  permissions = [
${permissions.map((permission) => `    "${permission}",`).join('\n')}
  ]
}
${apis
  .map(
    (api) => `
resource "google_project_service" "${api.split('.')[0]}" {
  project            = var.project
  service            = "${api}"
  disable_on_destroy = false
}
`,
  )
  .join('')}
resource "google_service_account" "vedette" {
  project      = var.project
  account_id   = "vedette-collector"
  display_name = "Reads the inventory for Vedette"
}

resource "google_project_iam_custom_role" "vedette" {
  count       = var.organization == "" ? 1 : 0
  project     = var.project
  role_id     = "vedetteCollector"
  title       = "Vedette collector"
  permissions = local.permissions
}

resource "google_project_iam_member" "vedette" {
  count   = var.organization == "" ? 1 : 0
  project = var.project
  role    = google_project_iam_custom_role.vedette[0].id
  member  = google_service_account.vedette.member
}

resource "google_organization_iam_custom_role" "vedette" {
  count       = var.organization == "" ? 0 : 1
  org_id      = var.organization
  role_id     = "vedetteCollector"
  title       = "Vedette collector"
  permissions = local.permissions
}

resource "google_organization_iam_member" "vedette" {
  count  = var.organization == "" ? 0 : 1
  org_id = var.organization
  role   = google_organization_iam_custom_role.vedette[0].id
  member = google_service_account.vedette.member
}

output "service_account" {
  value = google_service_account.vedette.email
}
`;
}
