import { plain, type Sql, sql } from '../sql/sql.ts';
import { positionsPerBatch } from './page-records.ts';
import { integer, narrowed, perSegment, type Scope } from './scope.ts';
import type { Slice } from './time-histogram.ts';

/**
 * Selects the records that begin after a slice and the newest of those in it: slightly more than wanted, never
 * fewer. Many records often share a timestamp, for example a full hour. Finding the cut-off from narrow columns
 * takes a fraction of the time of sorting documents.
 */
export function newestSql(scope: Scope, source: Sql, { from, to, held, wanted }: Slice): Sql {
  const key = keySql({ from, to, upTo: scope.upTo });
  const keys = perSegment(narrowed(scope, from, to), (slice) => sql`select ${key} as key from ${slice}`);
  // One more on either side, because the fraction is inexact.
  const share = plain(`${Math.max(0, 1 - (wanted + 2) / held)}`);
  // Not `or`: later timestamps may overflow the key, which is scaled for the slice.
  return sql`(select t, seq, n, doc from ${source} where case when t >= ${integer(to)} then true
    else ${key} >= (select quantile_disc(key, ${share}) from (${keys})) end)`;
}

/** The sort key of a record in the slice, greater for later records. */
function keySql({ from = 0, to, upTo }: { from: number | undefined; to: number; upTo: number }): Sql {
  const scale = BigInt(upTo + 1) * BigInt(positionsPerBatch);
  // Without a lower bound the timestamp is arbitrary; small keys compare faster.
  const isSmall = from !== 0 && BigInt(to - from) * scale < 2n ** 63n;
  return plain(
    `(t - ${from})::${isSmall ? 'bigint' : 'hugeint'} * ${scale} + seq * ${positionsPerBatch} + n`,
  );
}
