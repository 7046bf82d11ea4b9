import type { TelemetryDataset } from './dataset.ts';
import type { Derived } from './deriving.ts';

/** Checked records of one dataset, to be stored whole or not at all. */
export interface Batch {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  /** The records as JSON strings, as they came. */
  readonly records: readonly string[];
  /** Whether each record is even. */
  readonly isWellTyped: boolean;
  /** Names of members that the records have beyond the declared ones. */
  readonly further: readonly string[];
  /** Records that follow from these; only those that are not stored yet are added. */
  readonly derived?: readonly Derived[];
  /** A batch that comes again with the same key is not stored again. */
  readonly idempotencyKey: string | undefined;
  /** Digest of its body: the same key with another digest is refused. Without it the key alone decides. */
  readonly bodyDigest?: string | undefined;
}

export interface StoreResult {
  readonly records: number;
  readonly isRepeat: boolean;
}
