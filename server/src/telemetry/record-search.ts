import type { Filter } from '../search/filter.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { TelemetryDataset } from './dataset.ts';

/** A search of the records of one dataset. */
export interface RecordSearch {
  readonly dataset: TelemetryDataset;
  readonly account: string;
  readonly range: TimeRange;
  readonly filters: readonly Filter[];
  /** Later batches are not visible, so that pages do not shift. */
  readonly upTo: number;
  /** Members to return; all if undefined. */
  readonly returns?: readonly string[] | undefined;
  /** The instant at which activity is determined; by default the end of the range. */
  readonly asOf?: number | undefined;
  /** Whether damaged days are omitted. */
  readonly partial?: boolean | undefined;
}
