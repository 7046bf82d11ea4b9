import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { versionsTable } from '../inventory/inventory-tables.ts';
import { evaluatedPoliciesTable, runsTable } from '../inventory/posture-tables.ts';
import { createTextTable } from '../inventory/text-columns.ts';
import type { EvaluationBatch } from './batch.ts';

/** What a collector with a clock that is ahead has dated later is not seen yet, so it is not covered. */
export async function coveredPosition(
  connection: DuckDBConnection,
  { account, at, position }: EvaluationBatch,
): Promise<number> {
  const rows = await connection.runAndReadAll(
    `select min(least(case when since > $at then id end, case when until > $at then closed end))
      from ${versionsTable} where account = $account and (since > $at or until > $at)`,
    { account, at: BigInt(at) },
    { account: VARCHAR, at: BIGINT },
  );
  const first = rows.getRows()[0]?.[0];
  return typeof first === 'bigint' ? Math.min(position, Number(first) - 1) : position;
}

/** Records that the policies were evaluated up to the position. */
export async function noteRuns(connection: DuckDBConnection, batch: EvaluationBatch): Promise<void> {
  const { account, at, revision, position, policies } = batch;
  await createTextTable(connection, 'runs', policies, {
    account: ['varchar', () => account],
    policy: ['varchar', ({ policy }) => policy.id],
    provider: ['varchar', ({ policy }) => policy.provider],
    title: ['varchar', ({ policy }) => policy.title],
    severity: ['varchar', ({ policy }) => policy.severity],
    section: ['varchar', ({ policy }) => policy.section],
    basis: ['varchar', ({ policy }) => policy.basis],
    revision: ['bigint', () => revision],
    covers: ['bigint', () => position],
    run_at: ['bigint', () => at],
    reported: ['bigint', ({ policy }) => policy.reported],
  });
  await connection.run(`delete from ${evaluatedPoliciesTable} p using runs r
    where p.account = r.account and p.policy = r.policy`);
  await connection.run(`insert into ${evaluatedPoliciesTable} select * exclude (reported) from runs`);
  await connection.run(`insert into ${runsTable} select account, policy, run_at, revision from runs`);
}
