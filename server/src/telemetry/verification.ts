/** The result of verifying a telemetry file. */
export interface FileCheck {
  /** Its path within the telemetry directory. */
  readonly file: string;
  /** The day of arrival; undefined for the inventory, which covers all days. */
  readonly day?: string;
  readonly records: number;
  /** Ids of the accounts with records in it. */
  readonly accounts: readonly string[];
  /** The damaged datasets with the error; empty if the file is intact. */
  readonly problems: readonly { readonly dataset: string; readonly reason: string }[];
}

/** Receives the total number of records first, then the numbers read. */
export interface VerificationProgress {
  begin(records: number): void;
  advance(records: number): void;
}
