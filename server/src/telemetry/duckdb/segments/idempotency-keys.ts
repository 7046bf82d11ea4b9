import { type DuckDBConnection, INTEGER, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Batch } from '../../batch.ts';
import type { Segment } from './segment.ts';

const keyLifetime = 7 * 24 * 3_600_000;

export interface EarlierBatch {
  readonly records: number;
  /** Of the body; absent in batches older than digests and in the service's own. */
  readonly digest: string | undefined;
}

/** The segments whose keys may still be valid. */
export function segmentsWithKeys(all: readonly Segment[], now: number): Segment[] {
  const oldest = new Date(now - keyLifetime).toISOString().slice(0, 10);
  return all.filter(({ day }) => day >= oldest);
}

/** For each batch, the stored batch with the same valid key. */
export async function findEarlier(
  connection: DuckDBConnection,
  all: readonly Segment[],
  batches: readonly Batch[],
  now: number,
): Promise<Map<Batch, EarlierBatch>> {
  const segments = segmentsWithKeys(all, now);
  const keyed = batches.filter(({ idempotencyKey }) => idempotencyKey !== undefined);
  if (keyed.length === 0 || segments.length === 0) return new Map();
  const sources = segments
    .map((segment) => `select * from ${segment.table('batches')}`)
    .join(' union all by name ');
  const result = await connection.runAndReadAll(
    `select batch_index, records, body_digest from (${sources}) join
      (select unnest($accounts) as account, unnest($datasets) as dataset, unnest($keys) as idempotency_key,
        unnest($indexes) as batch_index) using (account, dataset, idempotency_key) where received > $since`,
    {
      accounts: listValue(keyed.map(({ account }) => account)),
      datasets: listValue(keyed.map(({ dataset }) => dataset.path)),
      keys: listValue(keyed.map(({ idempotencyKey = '' }) => idempotencyKey)),
      indexes: listValue(keyed.map((_, index) => index)),
      since: BigInt(now - keyLifetime),
    },
    { accounts: LIST(VARCHAR), datasets: LIST(VARCHAR), keys: LIST(VARCHAR), indexes: LIST(INTEGER) },
  );
  return new Map(
    result
      .getRowObjects()
      .map(({ batch_index: index, records, body_digest: digest }) => [
        keyed[Number(index)] as Batch,
        { records: Number(records), digest: (digest as string | null) ?? undefined },
      ]),
  );
}

/** Keys are valid for seven days even if the records are dropped. Keys carried before are not carried again. */
export async function carryKeys(
  connection: DuckDBConnection,
  from: Segment,
  to: Segment,
  now: number,
): Promise<void> {
  await connection.run(
    `insert into ${to.table('batches')} by name select * from ${from.table('batches')} anti join ${to.table('batches')} using (seq)
      where idempotency_key is not null and received > $since`,
    { since: BigInt(now - keyLifetime) },
  );
}
