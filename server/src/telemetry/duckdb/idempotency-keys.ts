import type { DuckDBConnection } from '@duckdb/node-api';
import type { Segment } from './segment.ts';
import type { Batch } from './writer.ts';

const keyLife = 7 * 24 * 3_600_000;

export interface EarlierBatch {
  readonly records: number;
  /** Of its body; batches from before digests were kept, and those of the service itself, have none. */
  readonly digest: string | undefined;
}

/** Those of which keys may still hold. */
export function holdingKeys(all: readonly Segment[], now: number): Segment[] {
  const oldest = new Date(now - keyLife).toISOString().slice(0, 10);
  return all.filter(({ day }) => day >= oldest);
}

/** The batch that had the same key, when it is not too long ago. */
export async function findEarlier(
  connection: DuckDBConnection,
  all: readonly Segment[],
  { account, dataset, idempotencyKey }: Batch,
  now: number,
): Promise<EarlierBatch | undefined> {
  const segments = holdingKeys(all, now);
  if (idempotencyKey === undefined || segments.length === 0) return undefined;
  const sources = segments
    .map((segment) => `select * from ${segment.table('batches')}`)
    .join(' union all by name ');
  const found = await connection.runAndReadAll(
    `select records, body_digest from (${sources}) where account = $account and dataset = $dataset
      and idempotency_key = $key and received > $since limit 1`,
    { account, dataset: dataset.path, key: idempotencyKey, since: BigInt(now - keyLife) },
  );
  const [row] = found.getRowObjects();
  return row && { records: Number(row.records), digest: (row.body_digest as string | null) ?? undefined };
}

/** Keys hold for their seven days whatever becomes of the records. What was carried before is not carried again. */
export async function carryKeys(
  connection: DuckDBConnection,
  from: Segment,
  to: Segment,
  now: number,
): Promise<void> {
  await connection.run(
    `insert into ${to.table('batches')} by name select * from ${from.table('batches')} anti join ${to.table('batches')} using (seq)
      where idempotency_key is not null and received > $since`,
    { since: BigInt(now - keyLife) },
  );
}
