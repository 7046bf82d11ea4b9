import { BIGINT, type DuckDBConnection, INTEGER, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { BackupBatch } from '../../store.ts';
import type { Segment } from './segment.ts';

/** In the order in which versions of the service added them; files may lack those after the first six. */
const columns = {
  seq: 'bigint not null',
  account: 'varchar not null',
  dataset: 'varchar not null',
  idempotency_key: 'varchar',
  records: 'integer not null',
  received: 'bigint not null',
  body_digest: 'varchar',
};

/** Creates the batches table of a segment, or adds columns missing from an older file. */
export async function openBatchesTable(connection: DuckDBConnection, segment: Segment): Promise<void> {
  const result = await connection.runAndReadAll(
    `select column_name as name from duckdb_columns() where database_name = $name and table_name = 'batches'`,
    { name: segment.name },
  );
  const present = new Set(result.getRowObjects().map(({ name }) => String(name)));
  const unknown = [...present].filter((name) => !Object.hasOwn(columns, name));
  if (unknown.length > 0)
    throw new Error(`it was written by a newer version of Vedette (column ${unknown[0]}): upgrade this one`);
  const table = segment.table('batches');
  const missing = Object.entries(columns).filter(([name]) => !present.has(name));
  if (present.size === 0) {
    await connection.run(`create table ${table} (${missing.map((column) => column.join(' ')).join(', ')})`);
    return;
  }
  for (const [name, type] of missing) await connection.run(`alter table ${table} add column ${name} ${type}`);
}

export async function insertBatches(
  connection: DuckDBConnection,
  segment: Segment,
  batches: readonly Omit<BackupBatch, 'day'>[],
): Promise<void> {
  // Keys and digests are never empty.
  await connection.run(
    `insert into ${segment.table('batches')} by name select unnest($seqs) as seq, unnest($accounts) as account,
      unnest($datasets) as dataset, nullif(unnest($keys), '') as idempotency_key, unnest($records) as records,
      unnest($received) as received, nullif(unnest($digests), '') as body_digest`,
    {
      seqs: listValue(batches.map(({ seq }) => BigInt(seq))),
      accounts: listValue(batches.map(({ account }) => account)),
      datasets: listValue(batches.map(({ dataset }) => dataset)),
      keys: listValue(batches.map(({ key = '' }) => key)),
      records: listValue(batches.map(({ records }) => records)),
      received: listValue(batches.map(({ received }) => BigInt(received))),
      digests: listValue(batches.map(({ digest = '' }) => digest)),
    },
    {
      ...{ seqs: LIST(BIGINT), accounts: LIST(VARCHAR), datasets: LIST(VARCHAR), keys: LIST(VARCHAR) },
      ...{ records: LIST(INTEGER), received: LIST(BIGINT), digests: LIST(VARCHAR) },
    },
  );
}
