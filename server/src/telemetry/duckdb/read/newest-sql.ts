import { plain, type Sql, sql } from '../sql/sql.ts';
import { placesOfBatch } from './page-records.ts';
import { integer, narrowed, perSegment, type Scope } from './scope.ts';
import type { Slice } from './time-histogram.ts';

/**
 * Of the records of a source, those that begin after a slice and the newest of those in it: a few more than are wanted, and
 * never fewer. Many records often begin at one moment, an hour for example. Finding by narrow columns where to cut takes a
 * fraction of the time that sorting documents takes.
 */
export function newestSql(scope: Scope, source: Sql, { from, to, held, wanted }: Slice): Sql {
  const key = keySql({ from, to, upTo: scope.upTo });
  const keys = perSegment(narrowed(scope, from, to), (slice) => sql`select ${key} as key from ${slice}`);
  // One more on either side, for a fraction is not exact.
  const share = plain(`${Math.max(0, 1 - (wanted + 2) / held)}`);
  // Not `or`: the key is made for moments of the slice, and later ones may be too large for it.
  return sql`(select t, seq, n, doc from ${source} where case when t >= ${integer(to)} then true
    else ${key} >= (select quantile_disc(key, ${share}) from (${keys})) end)`;
}

/** The place of a record of the slice in the order of answers, the later the greater. */
function keySql({ from = 0, to, upTo }: { from: number | undefined; to: number; upTo: number }): Sql {
  const scale = BigInt(upTo + 1) * BigInt(placesOfBatch);
  // What began before a range may have begun at any time, and what is small is compared faster.
  const isSmall = from !== 0 && BigInt(to - from) * scale < 2n ** 63n;
  return plain(`(t - ${from})::${isSmall ? 'bigint' : 'hugeint'} * ${scale} + seq * ${placesOfBatch} + n`);
}
