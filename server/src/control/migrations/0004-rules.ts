import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'rules')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('family', type.text, (column) => column.notNull())
    .addColumn('filters', type.text, (column) => column.notNull())
    .addColumn('channels', type.text, (column) => column.notNull())
    .addColumn('report_types', type.text)
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('rules_by_owner').on('rules').columns(['owner_id', 'family', 'id']).execute();
}
