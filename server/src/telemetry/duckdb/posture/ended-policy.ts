import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { evaluatedPoliciesTable, evaluationsTable } from '../inventory/posture-tables.ts';

export interface EndedPolicyRevision {
  readonly account: string;
  readonly policy: string;
  readonly at: number;
  readonly revision: number;
}

/** Ends the evaluations of a policy, so that they are deleted with the retention. */
export async function endPolicy(
  connection: DuckDBConnection,
  { account, policy, at, revision }: EndedPolicyRevision,
): Promise<void> {
  const of = 'account = $account and policy = $policy';
  const values = { account, policy, at: BigInt(at) };
  const types = { account: VARCHAR, policy: VARCHAR, at: BIGINT };
  await connection.run(
    `update ${evaluationsTable} set until = $at, closed = $revision
      where ${of} and until is null and opened_at <= $at`,
    { ...values, revision: BigInt(revision) },
    { ...types, revision: BIGINT },
  );
  // The row describes the policy in the history. Without its basis, another policy with the id is evaluated anew.
  await connection.run(
    `update ${evaluatedPoliciesTable} set basis = '' where ${of} and run_at <= $at`,
    values,
    types,
  );
}
