import type { Kysely } from 'kysely';
import { newGuid } from '../../platform/ids.ts';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'resource_groups')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('type', type.text, (column) => column.notNull())
    .addColumn('name', type.text, (column) => column.notNull())
    .addColumn('description', type.text, (column) => column.notNull())
    .addColumn('enabled', type.flag, (column) => column.notNull())
    .addColumn('is_default', type.flag, (column) => column.notNull())
    .addColumn('query', type.text, (column) => column.notNull())
    .addColumn('props', type.text)
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .addColumn('created_by', type.text, (column) => column.notNull())
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('resource_groups_by_owner')
    .on('resource_groups')
    .columns(['owner_id', 'created_at', 'id'])
    .execute();
  await addDefaultGroups(db as Kysely<Present>);
}

interface Owner {
  id: string;
  name: string;
  created_at: number;
}

/** The tables and default groups as of this migration, independent of later versions. */
interface Present {
  organizations: Owner;
  accounts: Owner;
  resource_groups: Record<string, string | number | null>;
}

const groups = [
  { type: 'AWS', name: 'All AWS Resources', filter: { field: 'Account' } },
  { type: 'AZURE', name: 'All Azure Resources', filter: { field: 'Tenant ID' } },
  { type: 'GCP', name: 'All GCP Resources', filter: { field: 'Project ID' } },
  { type: 'OCI', name: 'All OCI Resources', filter: { field: 'Compartment ID' } },
  { type: 'CONTAINER', name: 'All Container Resources', filter: { field: 'Image Repo' } },
  { type: 'MACHINE', name: 'All Machine Resources', filter: { field: 'Machine Tag', key: '*' } },
  { type: 'KUBERNETES', name: 'All Kubernetes Resources', filter: { field: 'Cluster Name' } },
];
const organizationGroups = [
  ...groups,
  { type: 'LW_ACCOUNT', name: 'All Account Resources', filter: { field: 'Account' } },
];

/** Adds the default groups to existing accounts. */
async function addDefaultGroups(db: Kysely<Present>): Promise<void> {
  for (const table of ['organizations', 'accounts'] as const) {
    const owners = await db.selectFrom(table).select(['id', 'name', 'created_at']).execute();
    for (const { id, name, created_at } of owners) {
      const rows = (table === 'organizations' ? organizationGroups : groups).map((group) => ({
        id: newGuid(name),
        owner_id: id,
        type: group.type,
        name: group.name,
        description: '',
        enabled: 1,
        is_default: 1,
        query: JSON.stringify({
          filters: { filter0: { ...group.filter, operation: 'EQUALS', values: ['*'] } },
          expression: { operator: 'OR', children: [{ filterName: 'filter0' }] },
        }),
        props: null,
        created_at,
        created_by: 'system',
        updated_at: created_at,
        updated_by: 'system',
      }));
      await db.insertInto('resource_groups').values(rows).execute();
    }
  }
}
