import type { Filter } from '../search/filter.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { Provider } from './served-datasource.ts';

/** A search of records of one provider that are derived from the inventory. */
export interface ProviderSearch {
  readonly account: string;
  readonly provider: Provider;
  readonly range: TimeRange;
  readonly filters: readonly Filter[];
  /** Later changes are not visible, so that pages do not shift. */
  readonly upTo: number;
  /** Members to return; all if undefined. */
  readonly returns?: readonly string[] | undefined;
}
