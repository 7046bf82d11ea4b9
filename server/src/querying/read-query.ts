import type { CheckedQuery } from '@vedette/lql/check/checked';

/** A query string that was parsed and checked. */
export interface ParsedQuery {
  readonly text: string;
  /** The query id, if the string has one. */
  readonly id: string | undefined;
  readonly query: CheckedQuery;
  /** Warnings, one line each. */
  readonly warnings: readonly string[];
  /** The reason why it can not be a policy's query, if any. */
  readonly policyProblem: string | undefined;
}
