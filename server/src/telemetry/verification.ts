/** What was found wrong with a file of telemetry. */
export interface FileCheck {
  /** Its name within the directory of telemetry. */
  readonly file: string;
  /** On which its records arrived; undefined for the inventory, which holds all days. */
  readonly day?: string;
  readonly records: number;
  /** Ids of the accounts that have records in it. */
  readonly accounts: readonly string[];
  /** Why which dataset can not be read; empty for a file that is whole. */
  readonly problems: readonly { readonly dataset: string; readonly reason: string }[];
}

/** Told how many records there are before the first is read, and then how many were read. */
export interface VerificationProgress {
  begin(records: number): void;
  advance(records: number): void;
}
