import type { DuckDBConnection } from '@duckdb/node-api';
import type { ChangedSince, DuePolicy, EvaluationExtent } from '../../evaluation.ts';
import { scopesTable } from '../inventory/inventory-tables.ts';
import { evaluatedPoliciesTable } from '../inventory/posture-tables.ts';

/** A policy, and how much of it has to be evaluated. */
export interface PolicyExtent {
  readonly policy: DuePolicy;
  readonly extent: EvaluationExtent;
  /** The changes to evaluate, if not everything. */
  readonly changed?: ChangedSince;
}

interface Positions {
  readonly changed: number;
  readonly statusChanged: number;
}

/** Compares the inventory with the last evaluation of each policy. */
export async function extentsOf(
  connection: DuckDBConnection,
  account: string,
  policies: readonly DuePolicy[],
): Promise<PolicyExtent[]> {
  const kinds = await positionsOf(connection, account);
  const last = await lastEvaluations(connection, account);
  return policies.map((policy) => extentOf(policy, kinds, last.get(policy.id)));
}

function extentOf(
  policy: DuePolicy,
  positions: ReadonlyMap<string, Positions>,
  last: { readonly basis: string; readonly position: number } | undefined,
): PolicyExtent {
  const all: PolicyExtent = { policy, extent: 'all' };
  if (!last || last.basis !== policy.basis) return all;
  const kinds = policy.readsAllKinds ? [...positions.keys()] : policy.kinds;
  const known = kinds.flatMap((kind) => {
    const position = positions.get(kind);
    return position ? [{ kind, ...position }] : [];
  });
  if (known.some(({ statusChanged }) => statusChanged > last.position)) return all;
  const datasources = known.filter(({ changed }) => changed > last.position).map(({ kind }) => kind);
  if (policy.isScheduled && (policy.readsClock || policy.readsOther)) return all;
  if (datasources.length === 0) return { policy, extent: 'none' };
  if (!datasources.every((kind) => policy.kindsByUrn.includes(kind))) return all;
  return { policy, extent: 'changed', changed: { after: last.position, datasources } };
}

/** Scopes of earlier releases have no position: they count as changed. */
async function positionsOf(
  connection: DuckDBConnection,
  account: string,
): Promise<ReadonlyMap<string, Positions>> {
  const unknown = Number.MAX_SAFE_INTEGER;
  const rows = await connection.runAndReadAll(
    `select kind, max(coalesce(changed, ${unknown})), max(coalesce(status_changed, ${unknown})) from ${scopesTable}
      where account = $account group by kind`,
    { account },
  );
  return new Map(
    rows
      .getRows()
      .map(([kind, changed, status]) => [
        String(kind),
        { changed: Number(changed), statusChanged: Number(status) },
      ]),
  );
}

async function lastEvaluations(connection: DuckDBConnection, account: string) {
  const rows = await connection.runAndReadAll(
    `select policy, basis, covers from ${evaluatedPoliciesTable} where account = $account`,
    { account },
  );
  return new Map(
    rows
      .getRows()
      .map(([policy, basis, position]) => [
        String(policy),
        { basis: String(basis), position: Number(position) },
      ]),
  );
}
