import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await db.schema.alterTable('users').addColumn('last_sign_in_at', type.instant).execute();
  await createTable(db, dialect, 'passwords')
    .addColumn('user_id', type.text, (column) =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('hash', type.text, (column) => column.notNull())
    .addColumn('set_at', type.instant, (column) => column.notNull())
    .execute();
  await createTable(db, dialect, 'sign_in_links')
    .addColumn('fingerprint', type.text, (column) => column.primaryKey())
    .addColumn('user_id', type.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires_at', type.instant, (column) => column.notNull())
    .execute();
  await createTable(db, dialect, 'sessions')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('fingerprint', type.text, (column) => column.notNull().unique())
    .addColumn('previous_fingerprint', type.text)
    .addColumn('previous_until', type.instant)
    .addColumn('user_id', type.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('roles', type.text, (column) => column.notNull())
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .addColumn('last_used_at', type.instant, (column) => column.notNull())
    .addColumn('proved_at', type.instant, (column) => column.notNull())
    .addColumn('last_sign_in_at', type.instant)
    .addColumn('address', type.text, (column) => column.notNull())
    .addColumn('user_agent', type.text, (column) => column.notNull())
    .execute();
  for (const [table, column] of [
    // Cascading deletes look up the referencing rows.
    ['sign_in_links', 'user_id'],
    ['sessions', 'user_id'],
    ['sessions', 'previous_fingerprint'],
    ['sessions', 'last_used_at'],
  ] as const) {
    await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
  }
}
