import type { EvaluationStatus, placeFacts } from './evaluation.ts';
import type { SnapshotScope } from './snapshot-scope.ts';

/*
 * Evaluations as a backup contains them. Revisions number the runs of all accounts, positions the changes of the
 * inventory; both keep their values in a restore, so that the next evaluation continues after them.
 */

/** The result of a policy for a resource over a period. */
export interface StoredEvaluation {
  readonly id: number;
  readonly account: string;
  readonly policyId: string;
  readonly key: string;
  readonly urn: string;
  readonly place: string;
  readonly status: EvaluationStatus;
  readonly reason: string;
  readonly exceptionId?: string;
  /** The row of the policy's query, of violations only. */
  readonly result?: string;
  /** When the status began. */
  readonly since: number;
  /** From when to when the evaluation had this result; no end if it is current. */
  readonly openedAt: number;
  readonly until?: number;
  /** The revisions that opened and closed it. */
  readonly opened: number;
  readonly closed?: number;
}

/** Where evaluated resources are. */
export interface EvaluationPlace {
  readonly account: string;
  readonly place: string;
  readonly provider: string;
  readonly cloudAccount: string;
  readonly region: string;
  /** The time of the first evaluation. */
  readonly firstAt: number;
  readonly facts: Readonly<Partial<Record<(typeof placeFacts)[number], string>>>;
}

/** The last evaluation of a policy. */
export interface LastEvaluation {
  readonly account: string;
  readonly policyId: string;
  readonly provider: string;
  readonly title: string;
  readonly severity: string;
  readonly section: string;
  readonly basis: string;
  readonly revision: number;
  /** The position of the inventory that it covers. */
  readonly covers: number;
  readonly runAt: number;
}

/** A run, which evaluated these policies together. */
export interface EvaluationRun {
  readonly account: string;
  readonly revision: number;
  readonly runAt: number;
  readonly policyIds: readonly string[];
}

/** The positions of the last change in a scope, and of the last change of its status. */
export interface ScopePositions extends SnapshotScope {
  readonly account: string;
  readonly changed: number;
  readonly statusChanged: number;
}
