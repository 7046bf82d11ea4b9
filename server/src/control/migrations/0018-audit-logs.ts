import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'audit_queues')
    .addColumn('integration_id', type.text, (to) => to.primaryKey())
    .addColumn('owner_id', type.text, (to) => to.notNull())
    .addColumn('holder', type.text, (to) => to.notNull())
    .addColumn('due_at', type.instant, (to) => to.notNull())
    .addColumn('failures', type.count, (to) => to.notNull())
    .addColumn('settings_at', type.instant, (to) => to.notNull())
    .execute();
  await createTable(db, dialect, 'audit_objects')
    .addColumn('integration_id', type.text, (to) => to.notNull())
    .addColumn('identity', type.text, (to) => to.notNull())
    .addColumn('owner_id', type.text, (to) => to.notNull())
    .addColumn('state', type.text, (to) => to.notNull())
    .addColumn('attempts', type.count, (to) => to.notNull())
    .addColumn('bytes', type.count, (to) => to.notNull())
    .addColumn('updated_at', type.instant, (to) => to.notNull())
    .addColumn('name', type.text)
    .addColumn('reason', type.text)
    .addPrimaryKeyConstraint('audit_objects_pk', ['integration_id', 'identity'])
    .execute();
  await db.schema
    .createIndex('audit_objects_by_state')
    .on('audit_objects')
    .columns(['integration_id', 'state', 'updated_at'])
    .execute();
}
