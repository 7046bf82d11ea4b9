import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'organizations')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('name', type.text, (column) => column.notNull())
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .execute();
  await createTable(db, dialect, 'accounts')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('organization_id', type.text, (column) => column.notNull().references('organizations.id'))
    .addColumn('name', type.text, (column) => column.notNull().unique())
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .execute();
  await createTable(db, dialect, 'users')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('organization_id', type.text, (column) => column.notNull().references('organizations.id'))
    .addColumn('email', type.text, (column) => column.notNull().unique())
    .addColumn('organization_role', type.text)
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .execute();
  await createTable(db, dialect, 'memberships')
    .addColumn('user_id', type.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('account_id', type.text, (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('role', type.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['user_id', 'account_id'] as never)
    .execute();
  await createTable(db, dialect, 'api_keys')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('user_id', type.text, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('account_id', type.text, (column) =>
      column.notNull().references('accounts.id').onDelete('cascade'),
    )
    .addColumn('secret_fingerprint', type.text, (column) => column.notNull())
    .addColumn('enabled', type.flag, (column) => column.notNull())
    .addColumn('rate_limit', type.count)
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .addColumn('last_used_at', type.instant)
    .execute();
  await createTable(db, dialect, 'access_tokens')
    .addColumn('fingerprint', type.text, (column) => column.primaryKey())
    .addColumn('key_id', type.text, (column) =>
      column.notNull().references('api_keys.id').onDelete('cascade'),
    )
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .addColumn('expires_at', type.instant, (column) => column.notNull())
    .execute();
  // Cascading deletes look up the referencing rows.
  for (const [table, column] of [
    ['memberships', 'account_id'],
    ['api_keys', 'user_id'],
    ['api_keys', 'account_id'],
    ['access_tokens', 'key_id'],
    ['access_tokens', 'expires_at'],
  ] as const) {
    await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
  }
}
