import { type DuckDBConnection, INTEGER, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Batch } from '../../batch.ts';
import type { Segment } from './segment.ts';

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

/** For each batch the stored one that had the same key, when that is not too long ago. */
export async function findEarlier(
  connection: DuckDBConnection,
  all: readonly Segment[],
  batches: readonly Batch[],
  now: number,
): Promise<Map<Batch, EarlierBatch>> {
  const segments = holdingKeys(all, now);
  const keyed = batches.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  if (keyed.length === 0 || segments.length === 0) return new Map();
  const sources = segments
    .map((segment) => `select * from ${segment.table('batches')}`)
    .join(' union all by name ');
  const found = await connection.runAndReadAll(
    `select place, records, body_digest from (${sources}) join
      (select unnest($accounts) as account, unnest($datasets) as dataset, unnest($keys) as idempotency_key,
        unnest($places) as place) using (account, dataset, idempotency_key) where received > $since`,
    {
      accounts: listValue(keyed.map(({ account }) => account)),
      datasets: listValue(keyed.map(({ dataset }) => dataset.path)),
      keys: listValue(keyed.map(({ idempotencyKey = '' }) => idempotencyKey)),
      places: listValue(keyed.map((_, place) => place)),
      since: BigInt(now - keyLife),
    },
    { accounts: LIST(VARCHAR), datasets: LIST(VARCHAR), keys: LIST(VARCHAR), places: LIST(INTEGER) },
  );
  return new Map(
    found
      .getRowObjects()
      .map(({ place, records, body_digest: digest }) => [
        keyed[Number(place)] as Batch,
        { records: Number(records), digest: (digest as string | null) ?? undefined },
      ]),
  );
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
