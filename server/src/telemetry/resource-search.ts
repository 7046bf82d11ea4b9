import type { Filter } from '../search/filter.ts';
import type { TimeRange } from '../search/time-range.ts';
import type { Provider } from './served-datasource.ts';

/** A subscription of a tenant, or a project of an organization, of which resources are stored. */
export interface KnownCloudAccount {
  /** The tenant or organization; empty if it is not known. */
  readonly parent: string;
  readonly id: string;
  /** Empty if it has none. */
  readonly name: string;
}

/** A search of the resources of one provider. */
export interface ResourceSearch {
  readonly account: string;
  readonly provider: Provider;
  /** The last complete collection of each scope that started in this range counts. */
  readonly range: TimeRange;
  readonly filters: readonly Filter[];
  /** Later snapshots are not visible, so that pages do not shift. */
  readonly upTo: number;
  /** Members to return; all if undefined. */
  readonly returns?: readonly string[] | undefined;
}
