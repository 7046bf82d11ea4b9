import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { newestMigration } from '../control/migrate.ts';
import { backedUpTables, type TableName, type Tables } from '../control/tables.ts';
import type { TelemetryCounts } from './telemetry-part.ts';

/** First line of an archive. Then one line a row, then the number of rows, then the telemetry. */
export interface ArchiveHeader {
  readonly format: 'vedette backup';
  readonly migration: string;
  readonly createdAt: string;
  /** Which rows are about the telemetry in it; older archives do not say. */
  readonly place?: string;
  /** Keys that open the sealed secrets; only there when the operator asked for them. */
  readonly secretKeys?: readonly string[];
  /** How much telemetry follows the rows. An archive without it says nothing about telemetry, not that there is none. */
  readonly telemetry?: Static<typeof TelemetryCounts>;
}

export type Row = Readonly<Record<string, unknown>>;
export type ArchiveLine =
  | ArchiveHeader
  | { readonly table: TableName; readonly row: Row }
  | { readonly rows: number };

export const rowsAtOnce = 500;

export function archiveTables(): TableName[] {
  return Object.keys(backedUpTables) as TableName[];
}

/**
 * The control store as lines, the same for both stores: a backup of an embedded service can be restored into
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

/** Every row of a table by its key. */
export async function* rowsOf(db: Kysely<Tables>, table: TableName): AsyncGenerator<Row> {
  const keys = backedUpTables[table as keyof typeof backedUpTables];
  const columns = sql.join(keys.map((key) => sql.ref(key)));
  for (let last: Row | undefined; ; ) {
    const after = last
      ? sql`where (${columns}) > (${sql.join(keys.map((key) => (last as Row)[key]))})`
      : sql``;
    const query = sql<Row>`select * from ${sql.table(table)} ${after} order by ${columns} limit ${rowsAtOnce}`;
    const { rows } = await query.execute(db);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < rowsAtOnce) return;
    await new Promise((resume) => setImmediate(resume));
  }
}
