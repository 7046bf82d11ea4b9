import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'saved_searches')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('question', type.text, (column) => column.notNull())
    .addColumn('expires_at', type.instant, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('saved_searches_by_owner').on('saved_searches').column('owner_id').execute();
}
