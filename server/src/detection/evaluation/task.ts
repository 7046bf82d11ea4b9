import { createHash } from 'node:crypto';
import type { Constraint } from '../exceptions/form.ts';
import { type Matches, matcherOf } from '../exceptions/matching.ts';
import type { ExceptionRow } from '../exceptions/record.ts';
import type { PolicyRecord } from '../policies/record.ts';
import type { PolicyQueries, PolicyQuery } from './policy-queries.ts';

export interface Exemption {
  readonly id: string;
  readonly matches: Matches;
}

/** A policy to be evaluated in an account. */
export interface Task {
  readonly ownerId: string;
  readonly policy: PolicyRecord;
  /** Digest of the input; a change requires another evaluation. */
  readonly basis: string;
  /** When the account was created. */
  readonly accountSince: number;
  /** When the account last changed the policy or its query; undefined for an unchanged built-in policy. */
  readonly decidedAt: number | undefined;
  /** The exceptions in force. */
  readonly exemptions: readonly Exemption[];
  /** Whether it is known without parsing its query that it reads the inventory of cloud resources alone. */
  readonly readsInventory: boolean;
  /** Whether its query is still being parsed. */
  isPending(): boolean;
  /** Throws for an invalid query, which may have been saved by an earlier version. */
  query(): PolicyQuery;
}

export interface TaskDeps
  extends Pick<Task, 'ownerId' | 'policy' | 'accountSince' | 'decidedAt' | 'readsInventory'> {
  readonly queryText: string;
  /** Whether the query comes with the server. */
  readonly isShipped: boolean;
  /** Selects the resources that a built-in policy applies to. */
  readonly scopeText: string | undefined;
  /** The exceptions in force. */
  readonly exceptions: readonly Pick<ExceptionRow, 'id' | 'constraints' | 'updated_at'>[];
}

export function taskOf(
  { queryText, scopeText, isShipped, exceptions, ...given }: TaskDeps,
  queries: PolicyQueries,
): Task {
  const query = { text: queryText, scope: scopeText, isShipped };
  return {
    ...given,
    basis: basisOf({ queryText, scopeText, exceptions, policy: given.policy }),
    exemptions: exceptions.map(({ id, constraints }) => ({
      id,
      matches: matcherOf(JSON.parse(constraints) as Constraint[]),
    })),
    isPending: () => queries.isPending(query),
    query: () => queries.read(query),
  };
}

/** Of policies without exceptions. Accounts share the records of built-in ones, so most are computed once. */
const knownBases = new WeakMap<TaskDeps['policy'], { readonly query: string; readonly basis: string }>();

function basisOf(deps: Pick<TaskDeps, 'queryText' | 'scopeText' | 'exceptions' | 'policy'>): string {
  const { queryText, scopeText, exceptions, policy } = deps;
  const query = scopeText === undefined ? queryText : `${queryText}\n${scopeText}`;
  const known = exceptions.length === 0 ? knownBases.get(policy) : undefined;
  if (known?.query === query) return known.basis;
  const basis = createHash('sha256')
    .update(
      JSON.stringify([
        [queryText, scopeText],
        [policy.alertEnabled, policy.evalFrequency, policy.title, policy.severity],
        exceptions.map(({ id, constraints }) => [id, constraints]),
      ]),
    )
    .digest('hex')
    .slice(0, 32);
  if (exceptions.length === 0) knownBases.set(policy, { query, basis });
  return basis;
}
