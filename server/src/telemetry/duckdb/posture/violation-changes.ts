import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { ViolationChange, ViolationChangesSince } from '../../evaluation.ts';
import { evaluationsTable, placesTable } from '../inventory/posture-tables.ts';

/** Milliseconds after its first evaluation during which a cloud account counts as new: its collection may take long. */
const initialPeriod = 3_600_000;
const isViolation = `status in ('NonCompliant', 'Suppressed')`;

/** A page of the violations of a policy that began or ended after a revision, by position. */
export async function violationChanges(
  connection: DuckDBConnection,
  account: string,
  { policyId, revision, after, limit }: ViolationChangesSince,
): Promise<ViolationChange[]> {
  const of = 'e.account = $account and e.policy = $policy';
  // What can no longer be assessed may still be a violation.
  const ended = `select e.id, e.key, null as result, null as exception, false as is_initial from ${evaluationsTable} e
    where ${of} and e.${isViolation} and $revision > 0 and e.closed > $revision
      and not exists (select 1 from ${evaluationsTable} n where n.account = $account and n.policy = $policy
        and n.key = e.key and n.until is null and n.status <> 'Compliant')`;
  const begun = `select e.id, e.key, e.result, e.exception, e.opened_at - f.first_at < ${initialPeriod}
      and not exists (select 1 from ${evaluationsTable} b where b.account = $account and b.policy = $policy
        and b.key = e.key and b.id < e.id) as is_initial
    from ${evaluationsTable} e join ${placesTable} l on l.account = $account and l.place = e.place
    join (select cloud_account, min(first_at) as first_at from ${placesTable} where account = $account
      group by cloud_account) f on f.cloud_account = l.cloud_account
    where ${of} and e.${isViolation} and e.until is null and e.opened > $revision`;
  const rows = await connection.runAndReadAll(
    `select * from (${ended} union all ${begun}) where id > $after order by id limit ${limit}`,
    { account, policy: policyId, revision: BigInt(revision), after: BigInt(after) },
    { account: VARCHAR, policy: VARCHAR, revision: BIGINT, after: BIGINT },
  );
  return rows.getRows().map(([id, key, row, exception, isInitial]) => ({
    id: Number(id),
    key: String(key),
    row: row === null ? undefined : String(row),
    exceptionId: exception === null ? undefined : String(exception),
    isInitial: isInitial === true,
  }));
}
