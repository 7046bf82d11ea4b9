import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { ViolationChanges, ViolationChangesSince } from '../../evaluation.ts';
import { evaluationsTable, placesTable } from '../inventory/posture-tables.ts';

/** Milliseconds after its first evaluation during which a cloud account counts as new: its collection may take long. */
const initialPeriod = 3_600_000;
const isViolation = `status in ('NonCompliant', 'Suppressed')`;

/** Limit on the bytes of the rows of a page: a policy may return whole configurations. */
const maxBytes = 4 * 1024 * 1024;

/** A page of the violations of a policy that began or ended after a revision, by position. */
export async function violationChanges(
  connection: DuckDBConnection,
  account: string,
  { policyId, revision, after, limit }: ViolationChangesSince,
): Promise<ViolationChanges> {
  const of = 'e.account = $account and e.policy = $policy';
  // What can no longer be assessed may still be a violation: it ends with the next result. Of others nothing is known.
  const ended = `select e.id, e.key, true as is_ended, 0 as size, false as is_initial from ${evaluationsTable} e
    where ${of} and e.status <> 'Compliant' and $revision > 0 and e.closed > $revision
      and not exists (select 1 from ${evaluationsTable} n where n.account = $account and n.policy = $policy
        and n.key = e.key and n.until is null and n.status <> 'Compliant')`;
  const begun = `select e.id, e.key, false as is_ended, strlen(e.result) as size, e.opened_at - f.first_at < ${initialPeriod}
      and not exists (select 1 from ${evaluationsTable} b where b.account = $account and b.policy = $policy
        and b.key = e.key and b.id < e.id) as is_initial
    from ${evaluationsTable} e join ${placesTable} l on l.account = $account and l.place = e.place
    join (select cloud_account, min(first_at) as first_at from ${placesTable} where account = $account
      group by cloud_account) f on f.cloud_account = l.cloud_account
    where ${of} and e.${isViolation} and e.until is null and e.opened > $revision`;
  const rows = await connection.runAndReadAll(
    `with page as (select * from (${ended} union all ${begun}) where id > $after order by id limit ${limit}),
      sums as (select id, row_number() over (order by id) as n, sum(size) over (order by id) as bytes from page)
    select p.id, p.key, case when not p.is_ended then e.result end, case when not p.is_ended then e.exception end,
      p.is_initial, (select count(*) from page)
    from page p join sums s on s.id = p.id and (s.n = 1 or s.bytes <= ${maxBytes})
    join ${evaluationsTable} e on e.id = p.id order by p.id`,
    { account, policy: policyId, revision: BigInt(revision), after: BigInt(after) },
    { account: VARCHAR, policy: VARCHAR, revision: BIGINT, after: BIGINT },
  );
  const changes = rows.getRows().map(([id, key, row, exception, isInitial]) => ({
    id: Number(id),
    key: String(key),
    row: row === null ? undefined : String(row),
    exceptionId: exception === null ? undefined : String(exception),
    isInitial: isInitial === true,
  }));
  const waiting = Number(rows.getRows()[0]?.[5] ?? 0);
  return { changes, isLast: waiting < limit && changes.length === waiting };
}
