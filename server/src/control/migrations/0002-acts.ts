import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'audit_log')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .addColumn('account_name', type.text, (column) => column.notNull())
    .addColumn('user_name', type.text, (column) => column.notNull())
    .addColumn('event_name', type.text, (column) => column.notNull())
    .addColumn('user_action', type.text, (column) => column.notNull())
    .addColumn('event_description', type.text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('audit_log_by_time')
    .on('audit_log')
    .columns(['owner_id', 'created_at', 'id'])
    .execute();
  await createTable(db, dialect, 'outbox')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('topic', type.text, (column) => column.notNull())
    .addColumn('payload', type.text, (column) => column.notNull())
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .addColumn('due_at', type.instant, (column) => column.notNull())
    .addColumn('attempts', type.count, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('outbox_by_due').on('outbox').columns(['due_at', 'id']).execute();
  await createTable(db, dialect, 'sealing_check')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('sealed', type.text, (column) => column.notNull())
    .execute();
  await createTable(db, dialect, 'rate_takes')
    .addColumn('bucket', type.text, (column) => column.notNull())
    .addColumn('id', type.text, (column) => column.notNull())
    .addColumn('taken_at', type.instant, (column) => column.notNull())
    .addColumn('tokens', type.count, (column) => column.notNull())
    .addPrimaryKeyConstraint('rate_takes_key', ['bucket', 'id'] as never)
    .execute();
}
