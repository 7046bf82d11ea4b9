import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

/** Existing messages share one owner. */
export async function up(db: Kysely<unknown>, _: ControlDialect, type: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('outbox')
    .addColumn('owner_id', type.text, (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.createIndex('outbox_by_owner').on('outbox').columns(['owner_id', 'due_at', 'id']).execute();
}
