import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'restores')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .execute();
}
