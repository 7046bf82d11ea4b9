import type { Filter } from '../search/filter.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { TelemetryDataset } from './dataset.ts';

/** A search of the records of one dataset. */
export interface RecordSearch {
  readonly dataset: TelemetryDataset;
  readonly account: string;
  readonly range: TimeRange;
  readonly filters: readonly Filter[];
  /** Batches after this one are not there for the search, so that its pages do not shift. */
  readonly upTo: number;
  /** Members to show; all of them when undefined. */
  readonly returns?: readonly string[] | undefined;
  /** Whether days that are damaged are left out. */
  readonly partial?: boolean | undefined;
}
