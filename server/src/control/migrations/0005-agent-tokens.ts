import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'agent_tokens')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('fingerprint', type.text, (column) => column.notNull().unique())
    .addColumn('token', type.text, (column) => column.notNull())
    .addColumn('alias', type.text, (column) => column.notNull())
    .addColumn('enabled', type.flag, (column) => column.notNull())
    .addColumn('props', type.text, (column) => column.notNull())
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('agent_tokens_alias')
    .on('agent_tokens')
    .columns(['owner_id', 'alias'])
    .unique()
    .execute();
}
