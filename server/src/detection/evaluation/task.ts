import { createHash } from 'node:crypto';
import type { Constraint } from '../exceptions/form.ts';
import { type Matches, matcherOf } from '../exceptions/matching.ts';
import type { ExceptionRow } from '../exceptions/record.ts';
import type { PolicyRecord } from '../policies/record.ts';
import type { Question, Questions } from './questions.ts';

export interface Exemption {
  readonly id: string;
  readonly matches: Matches;
}

/** A policy that is to be judged in an account. */
export interface Task {
  readonly ownerId: string;
  readonly policy: PolicyRecord;
  /** Changes with whatever makes another evaluation necessary. */
  readonly basis: string;
  /** When the account came. */
  readonly accountSince: number;
  /** When its owner decided last about the policy or its query; undefined for a built-in policy as it ships. */
  readonly decidedAt: number | undefined;
  /** The exceptions that hold. */
  readonly exemptions: readonly Exemption[];
  /** Whether its query is still being read, so that it can not be evaluated yet. */
  isPending(): boolean;
  /** Refuses a text that is no query, as one may be that was saved before it was checked. */
  question(): Question;
}

export interface TaskDeps extends Pick<Task, 'ownerId' | 'policy' | 'accountSince' | 'decidedAt'> {
  readonly queryText: string;
  /** Those that hold now. */
  readonly exceptions: readonly Pick<ExceptionRow, 'id' | 'constraints' | 'updated_at'>[];
}

export function taskOf({ queryText, exceptions, ...given }: TaskDeps, questions: Questions): Task {
  const { policy } = given;
  const basis = createHash('sha256')
    .update(
      JSON.stringify([
        queryText,
        policy.alertEnabled,
        policy.evalFrequency,
        exceptions.map(({ id, constraints }) => [id, constraints]),
      ]),
    )
    .digest('hex')
    .slice(0, 32);
  return {
    ...given,
    basis,
    exemptions: exceptions.map(({ id, constraints }) => ({
      id,
      matches: matcherOf(JSON.parse(constraints) as Constraint[]),
    })),
    isPending: () => questions.isPending(queryText),
    question: () => questions.read(queryText),
  };
}
