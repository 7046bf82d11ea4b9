import type { TelemetryDataset } from '../../../telemetry/dataset.ts';

/** How a log is written. */
export interface LogFormat {
  /** The dataset of its records. */
  readonly dataset: TelemetryDataset;
  /** Whether each value is a line, so that an invalid one does not spoil those after it. */
  readonly isLines?: boolean;
  /** The array with the values, by the first bytes of the log; undefined if they follow one another. */
  arrayIn(head: string): string | undefined;
  /** Bytes of a value. */
  readonly maxLength: number;
  /** The records of a value as JSON. May throw: the value is then counted as unreadable. */
  records(value: string): readonly string[];
  /** The member of a record that names the cloud account, for logs of several accounts. */
  readonly accountMember?: string;
}
