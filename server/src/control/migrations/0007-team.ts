import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, _dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  // Existing tokens are fingerprinted at the next start, because only the keyring can decrypt them.
  await db.schema.alterTable('integrations').addColumn('server_token_fingerprint', type.text).execute();
  await db.schema
    .createIndex('integrations_server_token')
    .on('integrations')
    .column('server_token_fingerprint')
    .unique()
    .execute();
  const columns = { type: 'StandardUser', first_name: '', last_name: '', company: '', description: '' };
  for (const [name, present] of Object.entries(columns)) {
    await db.schema
      .alterTable('users')
      .addColumn(name, type.text, (column) => column.notNull().defaultTo(present))
      .execute();
  }
  await db.schema
    .alterTable('users')
    .addColumn('enabled', type.flag, (column) => column.notNull().defaultTo(1))
    .execute();
  await db.schema
    .alterTable('users')
    .addColumn('updated_at', type.instant, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('users')
    .addColumn('updated_by', type.text, (column) => column.notNull().defaultTo('system'))
    .execute();
  await sql`update users set updated_at = created_at`.execute(db);
}
