import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'replaced_agent_tokens')
    .addColumn('fingerprint', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('token_id', type.text, (column) => column.notNull())
    .addColumn('accepted_until', type.instant, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('replaced_agent_tokens_owner')
    .on('replaced_agent_tokens')
    .columns(['owner_id', 'token_id'])
    .execute();
}
