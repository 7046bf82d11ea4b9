import { type Kysely, sql } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'delivery_holds')
    .addColumn('id', type.text, (to) => to.primaryKey())
    .addColumn('since', type.instant, (to) => to.notNull())
    .execute();
  await db.schema
    .alterTable('deliveries')
    .addColumn('window_start', type.instant, (to) => to.notNull().defaultTo(sql`0`))
    .execute();
  await db.schema.dropIndex('deliveries_by_alert').execute();
  await db.schema
    .createIndex('deliveries_by_alert')
    .on('deliveries')
    .columns(['owner_id', 'alert_id', 'channel_id', 'occasion', 'window_start'])
    .unique()
    .execute();
}
