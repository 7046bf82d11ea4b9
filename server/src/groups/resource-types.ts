export const resourceTypes = [
  'AWS',
  'AZURE',
  'GCP',
  'OCI',
  'CONTAINER',
  'MACHINE',
  'KUBERNETES',
  'LW_ACCOUNT',
] as const;
export type ResourceType = (typeof resourceTypes)[number];

/** The properties of a resource by which a group of its type may choose. */
export const fieldsOfType: Readonly<Record<ResourceType, readonly string[]>> = {
  AWS: ['Account', 'Organization ID', 'Resource Tag', 'Region'],
  AZURE: ['Tenant ID', 'Tenant Name', 'Subscription ID', 'Subscription Name', 'Resource Tag', 'Region'],
  GCP: ['Organization ID', 'Organization Name', 'Folder', 'Project ID', 'Resource Label', 'Region'],
  OCI: ['Compartment ID', 'Compartment Name', 'Resource Tag', 'Region'],
  CONTAINER: ['Image Tag', 'Container Tag', 'Container Label', 'Image Repo', 'Image Registry'],
  MACHINE: ['Machine Tag'],
  KUBERNETES: ['AWS Account', 'AWS Region', 'Cluster Name', 'Namespace'],
  LW_ACCOUNT: ['Account'],
};

/** Pairs of a key and a value: a filter says which key it means. */
const keyedFields = ['Resource Tag', 'Resource Label', 'Container Label', 'Machine Tag'];

export function isKeyed(field: string): boolean {
  return keyedFields.includes(field);
}

/** Accounts of this service are grouped by the organization only. */
export function isForOrganizationsOnly(type: ResourceType): boolean {
  return type === 'LW_ACCOUNT';
}
