import type { PolicyExtent } from './extent.ts';

/** Policies of one account that are evaluated together. */
export interface EvaluationBatch {
  readonly account: string;
  /** The time of the evaluation. */
  readonly at: number;
  /** The last position of the inventory before the transaction. */
  readonly position: number;
  readonly revision: number;
  /** The last id of an evaluation. */
  readonly lastId: number;
  readonly policies: readonly PolicyExtent[];
}
