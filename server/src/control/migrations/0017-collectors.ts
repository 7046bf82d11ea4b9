import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('agent_tokens')
    .addColumn('purpose', type.text, (column) => column.notNull().defaultTo('agent'))
    .execute();
  await createTable(db, dialect, 'collections')
    .addColumn('integration_id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('cloud', type.text, (column) => column.notNull())
    .addColumn('due_at', type.instant, (column) => column.notNull())
    .addColumn('started_at', type.instant)
    .addColumn('ended_at', type.instant)
    .addColumn('node', type.text)
    .addColumn('lease_until', type.instant)
    .addColumn('progress', type.text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('collections_due').on('collections').columns(['due_at']).execute();
  await db.schema.createIndex('collections_owner').on('collections').columns(['owner_id', 'cloud']).execute();
}
