import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  await createTable(db, dialect, 'policies')
    .addColumn('id', type.text, (column) => column.notNull())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('policy_type', type.text, (column) => column.notNull())
    .addColumn('query_id', type.text, (column) => column.notNull())
    .addColumn('title', type.text, (column) => column.notNull())
    .addColumn('description', type.text, (column) => column.notNull())
    .addColumn('remediation', type.text, (column) => column.notNull())
    .addColumn('severity', type.text, (column) => column.notNull())
    .addColumn('enabled', type.flag, (column) => column.notNull())
    .addColumn('alert_enabled', type.flag, (column) => column.notNull())
    .addColumn('row_limit', type.count, (column) => column.notNull())
    .addColumn('eval_frequency', type.text, (column) => column.notNull())
    .addColumn('alert_profile', type.text, (column) => column.notNull())
    .addColumn('tags', type.text, (column) => column.notNull())
    .addColumn('exception_configuration', type.text, (column) => column.notNull())
    .addColumn('evaluator_id', type.text)
    .addColumn('created_by', type.text, (column) => column.notNull())
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('policies_key', ['owner_id', 'id'])
    .execute();
  for (const column of ['query_id', 'alert_profile']) {
    await db.schema
      .createIndex(`policies_by_${column}`)
      .on('policies')
      .columns(['owner_id', column])
      .execute();
  }
  await createTable(db, dialect, 'built_in_policies')
    .addColumn('id', type.text, (column) => column.notNull())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('severity', type.text, (column) => column.notNull())
    .addColumn('enabled', type.flag, (column) => column.notNull())
    .addColumn('alert_enabled', type.flag, (column) => column.notNull())
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('built_in_policies_key', ['owner_id', 'id'])
    .execute();
  await createTable(db, dialect, 'queries')
    .addColumn('id', type.text, (column) => column.notNull())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('query_text', type.text, (column) => column.notNull())
    .addColumn('query_name', type.text)
    .addColumn('description', type.text)
    .addColumn('evaluator_id', type.text)
    .addColumn('usage_context', type.text)
    .addColumn('result_schema', type.text, (column) => column.notNull())
    .addColumn('created_by', type.text, (column) => column.notNull())
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('queries_key', ['owner_id', 'id'])
    .execute();
  await createTable(db, dialect, 'policy_exceptions')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('policy_id', type.text, (column) => column.notNull())
    .addColumn('description', type.text, (column) => column.notNull())
    .addColumn('constraints', type.text, (column) => column.notNull())
    .addColumn('expires_at', type.instant)
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('policy_exceptions_by_policy')
    .on('policy_exceptions')
    .columns(['owner_id', 'policy_id', 'id'])
    .execute();
  await createTable(db, dialect, 'sequences')
    .addColumn('id', type.text, (column) => column.notNull())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('last', type.count, (column) => column.notNull())
    .addPrimaryKeyConstraint('sequences_key', ['owner_id', 'id'])
    .execute();
}
