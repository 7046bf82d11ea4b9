import type { DuckDBConnection } from '@duckdb/node-api';
import type { Segment } from './segment.ts';
import type { Batch } from './writer.ts';

const keyLife = 7 * 24 * 3_600_000;

/** The number of records of the batch that had the same key, when it is not too long ago. */
export async function findRepeat(
  connection: DuckDBConnection,
  all: readonly Segment[],
  { account, dataset, idempotencyKey }: Batch,
  now: number,
): Promise<number | undefined> {
  const oldest = new Date(now - keyLife).toISOString().slice(0, 10);
  const segments = all.filter(({ day }) => day >= oldest);
  if (idempotencyKey === undefined || segments.length === 0) return undefined;
  const sources = segments.map((segment) => `select * from ${segment.table('batches')}`).join(' union all ');
  const found = await connection.runAndReadAll(
    `select records from (${sources}) where account = $account and dataset = $dataset
      and idempotency_key = $key and received > $since limit 1`,
    { account, dataset: dataset.path, key: idempotencyKey, since: BigInt(now - keyLife) },
  );
  const [row] = found.getRowObjects();
  return row && Number(row.records);
}

/** Keys hold for their seven days whatever becomes of the records. What was carried before is not carried again. */
export async function carryKeys(
  connection: DuckDBConnection,
  from: Segment,
  to: Segment,
  now: number,
): Promise<void> {
  await connection.run(
    `insert into ${to.table('batches')} select * from ${from.table('batches')} anti join ${to.table('batches')} using (seq)
      where idempotency_key is not null and received > $since`,
    { since: BigInt(now - keyLife) },
  );
}
