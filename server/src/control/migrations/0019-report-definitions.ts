import type { Kysely } from 'kysely';
import { type ColumnTypes, createTable } from '../columns.ts';
import type { ControlDialect } from '../connect.ts';

export async function up(db: Kysely<unknown>, dialect: ControlDialect, type: ColumnTypes): Promise<void> {
  const versionTable = (name: string) =>
    createTable(db, dialect, name)
      .addColumn('id', type.text, (column) => column.notNull())
      .addColumn('owner_id', type.text, (column) => column.notNull())
      .addColumn('version', type.count, (column) => column.notNull())
      .addColumn('report_name', type.text, (column) => column.notNull())
      .addColumn('display_name', type.text, (column) => column.notNull())
      .addColumn('report_type', type.text, (column) => column.notNull())
      .addColumn('sub_report_type', type.text, (column) => column.notNull())
      .addColumn('report_notification_type', type.text)
      .addColumn('report_definition', type.text, (column) => column.notNull())
      .addColumn('props', type.text, (column) => column.notNull())
      .addColumn('distribution_type', type.text)
      .addColumn('alert_channels', type.text, (column) => column.notNull())
      .addColumn('frequency', type.text)
      .addColumn('enabled', type.flag, (column) => column.notNull())
      .addColumn('update_type', type.text, (column) => column.notNull())
      .addColumn('updated_at', type.instant, (column) => column.notNull())
      .addColumn('updated_by', type.text, (column) => column.notNull());
  await versionTable('report_definitions')
    .addColumn('created_at', type.instant, (column) => column.notNull())
    .addColumn('created_by', type.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('report_definitions_key', ['id'])
    .execute();
  await db.schema
    .createIndex('report_definitions_by_name')
    .on('report_definitions')
    .columns(['owner_id', 'report_name'])
    .unique()
    .execute();
  await versionTable('report_definition_versions')
    .addPrimaryKeyConstraint('report_definition_versions_key', ['id', 'version'])
    .execute();
  await db.schema
    .createIndex('report_definition_versions_by_owner')
    .on('report_definition_versions')
    .column('owner_id')
    .execute();
  await createTable(db, dialect, 'report_distributions')
    .addColumn('id', type.text, (column) => column.primaryKey())
    .addColumn('owner_id', type.text, (column) => column.notNull())
    .addColumn('report_definition_guid', type.text, (column) => column.notNull())
    .addColumn('distribution_name', type.text, (column) => column.notNull())
    .addColumn('alert_channels', type.text, (column) => column.notNull())
    .addColumn('frequency', type.text, (column) => column.notNull())
    .addColumn('data', type.text, (column) => column.notNull())
    .addColumn('updated_at', type.instant, (column) => column.notNull())
    .addColumn('updated_by', type.text, (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('report_distributions_by_definition')
    .on('report_distributions')
    .columns(['owner_id', 'report_definition_guid'])
    .execute();
}
