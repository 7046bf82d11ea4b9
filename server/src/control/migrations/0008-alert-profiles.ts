import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'alert_profiles')
    .addColumn('id', type.text, (column) => column.notNull())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('base', type.text, (column) => column.notNull())
    .addColumn('alerts', type.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('alert_profiles_key', ['owner_id', 'id'])
    .execute();
}
