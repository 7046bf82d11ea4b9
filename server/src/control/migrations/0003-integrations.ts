import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'integrations')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('family', type.text, (column) => column.notNull())
    .addColumn('type', type.text, (column) => column.notNull())
    .addColumn('subtype', type.text)
    .addColumn('name', type.text, (column) => column.notNull())
    .addColumn('enabled', type.flag, (column) => column.notNull())
    .addColumn('is_org', type.flag, (column) => column.notNull())
    .addColumn('is_default', type.flag, (column) => column.notNull())
    .addColumn('data', type.text, (column) => column.notNull())
    .addColumn('secrets', type.text)
    .addColumn('props', type.text)
    .addColumn('state', type.text)
    .addColumn('server_token', type.text)
    .addColumn('identity', type.text)
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('integrations_by_owner')
    .on('integrations')
    .columns(['owner_id', 'family', 'type', 'id'])
    .execute();
  // Types that allow one integration per account have an identity; for others it is null, and nulls are never equal.
  await db.schema
    .createIndex('integrations_identity')
    .on('integrations')
    .columns(['owner_id', 'type', 'identity'])
    .unique()
    .execute();
}
