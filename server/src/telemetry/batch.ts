import type { TelemetryDataset } from './dataset.ts';
import type { Derived } from './deriver.ts';
import type { RecordIdentity } from './record-identity.ts';

/** Validated records of one dataset, stored atomically. */
export interface Batch {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  /** The records as JSON strings, unchanged. */
  readonly records: readonly string[];
  /** Whether every record is well typed. */
  readonly isWellTyped: boolean;
  /** Names of undeclared members. */
  readonly undeclaredMembers: readonly string[];
  /** Records derived from these; only those not stored yet are added. */
  readonly derived?: readonly Derived[];
  /** One per record: records that are stored already are left out. Absent if all are to be stored. */
  readonly identities?: readonly RecordIdentity[] | undefined;
  /** A repeated batch with the same key is not stored again. */
  readonly idempotencyKey: string | undefined;
  /**
   * Digest of the body: the same key with another digest is refused. Without a digest, the key alone identifies the
   * batch.
   */
  readonly bodyDigest?: string | undefined;
}

export interface StoreResult {
  /** Stored by this batch, or by the earlier one that it repeats. */
  readonly records: number;
  readonly isRepeat: boolean;
}
