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

/** The fields that filters of each resource type can use. */
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

/** Fields with key-value pairs; their filters have a key. */
const keyedFields = ['Resource Tag', 'Resource Label', 'Container Label', 'Machine Tag'];

export function isKeyed(field: string): boolean {
  return keyedFields.includes(field);
}

/** Only organizations can group accounts of this service. */
export function isForOrganizationsOnly(type: ResourceType): boolean {
  return type === 'LW_ACCOUNT';
}
