import type { CheckedQuery } from '@vedette/lql/check/checked';

/** A query string that was parsed and checked. */
export interface ReadQuery {
  readonly text: string;
  /** The name before the text, where it has one. */
  readonly id: string | undefined;
  readonly query: CheckedQuery;
  /** What is probably not meant, a line for each. */
  readonly warnings: readonly string[];
  /** What keeps it from being the query of a policy, or undefined. */
  readonly policyComplaint: string | undefined;
}
