import type { ControlTransaction } from '../control/store.ts';
import type { NewOwner } from '../identity/accounts.ts';
import { newGuid } from '../platform/ids.ts';
import type { Query } from './query.ts';
import { isForOrganizationsOnly, isKeyed, type ResourceType, resourceTypes } from './resource-types.ts';

/** The name of each default group, and a field that all resources of its type have. */
const defaults: Readonly<Record<ResourceType, { readonly name: string; readonly field: string }>> = {
  AWS: { name: 'All AWS Resources', field: 'Account' },
  AZURE: { name: 'All Azure Resources', field: 'Tenant ID' },
  GCP: { name: 'All GCP Resources', field: 'Project ID' },
  OCI: { name: 'All OCI Resources', field: 'Compartment ID' },
  CONTAINER: { name: 'All Container Resources', field: 'Image Repo' },
  MACHINE: { name: 'All Machine Resources', field: 'Machine Tag' },
  KUBERNETES: { name: 'All Kubernetes Resources', field: 'Cluster Name' },
  LW_ACCOUNT: { name: 'All Account Resources', field: 'Account' },
};

/** Every new account and organization gets these groups; clients look them up by name. */
export async function addDefaultGroups(tx: ControlTransaction, owner: NewOwner): Promise<void> {
  const types = resourceTypes.filter((type) => owner.isOrganization || !isForOrganizationsOnly(type));
  const rows = types.map((type) => ({
    id: newGuid(owner.name),
    owner_id: owner.id,
    type,
    name: defaults[type].name,
    description: '',
    enabled: 1 as const,
    is_default: 1 as const,
    query: JSON.stringify(matchAll(defaults[type].field)),
    props: null,
    created_at: owner.createdAt,
    created_by: 'system',
    updated_at: owner.createdAt,
    updated_by: 'system',
  }));
  await tx.insertInto('resource_groups').values(rows).execute();
}

function matchAll(field: string): Query {
  return {
    filters: {
      filter0: { field, operation: 'EQUALS', values: ['*'], ...(isKeyed(field) && { key: '*' }) },
    },
    expression: { operator: 'OR', children: [{ filterName: 'filter0' }] },
  };
}
