import type { AlertRow } from '../../alerts/alerts.ts';
import type { Marks } from '../../alerts/marks.ts';
import type { Actor } from '../../control/actor.ts';
import type { ControlTransaction } from '../../control/store.ts';
import type { Scope } from '../../identity/scope.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Policies } from '../policies/policies.ts';
import type { PolicyRecord } from '../policies/record.ts';
import type { Exceptions } from './exceptions.ts';
import type { Constraint } from './form.ts';
import { matcherOf } from './matching.ts';
import { proposedConstraints } from './proposal.ts';
import type { ExceptionRecord } from './record.ts';

export interface SuppressionDeps {
  readonly policies: Policies;
  readonly exceptions: Exceptions;
  readonly clock: Clock;
}

/** Whether the exception is only proposed, or also created. */
export type SuppressionRequest = 'propose' | 'create';

export interface Suppression {
  readonly constraints: Constraint[];
  /** Alerts of the last 90 days that the exception would have suppressed. */
  readonly wouldHide: number;
  readonly exception?: ExceptionRecord;
}

const day = 24 * 3_600_000;
const rowsAtOnce = 100;

/** Derives exceptions from alerts that users close to suppress similar ones. */
export class SuppressionExceptions {
  readonly #deps: SuppressionDeps;

  constructor(deps: SuppressionDeps) {
    this.#deps = deps;
  }

  /** Proposes the exception that would have suppressed the alert, and creates it on request. */
  async silence(
    tx: ControlTransaction,
    { actor, scope }: { readonly actor: Actor; readonly scope: Scope },
    alert: AlertRow,
    wish: SuppressionRequest,
  ): Promise<Suppression> {
    const policy = await this.#policyOf(tx, scope, alert);
    const constraints = policy ? proposedConstraints(policy, JSON.parse(alert.marks) as Marks[]) : [];
    const wouldHide = await this.#hidden(tx, alert, constraints);
    if (wish === 'propose') return { constraints, wouldHide };
    if (!policy || constraints.length === 0) {
      throw new Refusal(
        'INVALID_INPUT',
        policy
          ? `exception can not be created: the violations have no common value of a field that exceptions to ${alert.policy_id} allow. Omit exception, or disable the policy.`
          : `exception can not be created: the policy ${alert.policy_id} no longer exists. Omit exception.`,
      );
    }
    const body = { description: `From alert ${alert.id}, which was closed.`, constraints };
    const exception = await this.#deps.exceptions.createIn(tx, actor, scope, policy, body);
    return { constraints, wouldHide, exception };
  }

  async #policyOf(
    tx: ControlTransaction,
    scope: Scope,
    { policy_id }: AlertRow,
  ): Promise<PolicyRecord | undefined> {
    try {
      return await this.#deps.policies.lock(tx, scope, policy_id);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined;
      throw error;
    }
  }

  /** Only an alert that lists all its violations can be known to be fully suppressed. */
  async #hidden(
    tx: ControlTransaction,
    { owner_id, policy_id }: AlertRow,
    constraints: readonly Constraint[],
  ): Promise<number> {
    const covers = matcherOf(constraints);
    const since = this.#deps.clock.now() - 90 * day;
    let hidden = 0;
    for (let after = 0; ; ) {
      const rows = await tx
        .selectFrom('alerts')
        .select(['id', 'marks'])
        .where('owner_id', '=', owner_id)
        .where('policy_id', '=', policy_id)
        .where('start_at', '>=', since)
        .whereRef('listed', '=', 'violations')
        .where('id', '>', after)
        .orderBy('id')
        .limit(rowsAtOnce)
        .execute();
      hidden += rows.filter(({ marks }) => isCovered(JSON.parse(marks) as Marks[], covers)).length;
      const last = rows.at(-1);
      if (!last || rows.length < rowsAtOnce) return hidden;
      after = last.id;
    }
  }
}

function isCovered(marks: readonly Marks[], covers: (marks: Marks) => boolean): boolean {
  return marks.length > 0 && marks.every(covers);
}
