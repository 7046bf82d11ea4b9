import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { newestMigration } from '../control/migrate.ts';
import { backedUpTables, type TableName, type Tables } from '../control/tables.ts';
import type { TelemetryCounts } from './archived-telemetry.ts';

/** The first line of an archive, followed by one line per row, the number of rows and the telemetry. */
export interface ArchiveHeader {
  readonly format: 'vedette backup';
  readonly migration: string;
  readonly createdAt: string;
  /** The place whose rows refer to the telemetry of the archive; absent in older archives. */
  readonly place?: string;
  /** Keys that decrypt the secrets; only if the operator requested them. */
  readonly secretKeys?: readonly string[];
  /** Amount of telemetry after the rows. Absent if the archive does not include telemetry. */
  readonly telemetry?: Static<typeof TelemetryCounts>;
}

export type Row = Readonly<Record<string, unknown>>;
export type ArchiveLine =
  | ArchiveHeader
  | { readonly table: TableName; readonly row: Row }
  | { readonly rows: number };

export const batchSize = 500;

export function archiveTables(): TableName[] {
  return Object.keys(backedUpTables) as TableName[];
}

/**
 * The control store as lines, independent of the database: a backup of an embedded store can be restored into
 * PostgreSQL.
 */
export async function* archiveLines(
  db: Kysely<Tables>,
  header: Omit<ArchiveHeader, 'format' | 'migration'>,
): AsyncGenerator<ArchiveLine> {
  yield { format: 'vedette backup', migration: newestMigration, ...header };
  let rows = 0;
  for (const table of archiveTables()) {
    for await (const row of rowsOf(db, table)) {
      yield { table, row };
      rows++;
    }
  }
  yield { rows };
}

/** All rows of a table in the order of its key. */
export async function* rowsOf(db: Kysely<Tables>, table: TableName): AsyncGenerator<Row> {
  const keys = backedUpTables[table as keyof typeof backedUpTables];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  for (let last: Row | undefined; ; ) {
    const after = last
      ? sql`where (${columns}) > (${sql.join(keys.map((key) => (last as Row)[key]))})`
      : sql``;
    const query = sql<Row>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${batchSize}`;
    const { rows } = await query.execute(db);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < batchSize) return;
    await new Promise((resume) => setImmediate(resume));
  }
}
