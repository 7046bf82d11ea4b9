import type { Cursors } from '../control/cursor.ts';
import type { FairQueue } from '../platform/fair-queue.ts';
import { readFilters } from '../search/filter.ts';
import { maxRows, type ResultPage, type SearchQuery } from '../search/page.ts';
import type { TelemetryDataset } from './dataset.ts';
import type { FirstPage, Page, RecordPosition } from './page.ts';
import type { ProviderSearch } from './provider-search.ts';
import { fieldsOf } from './record-form.ts';
import { resultPage } from './result-page.ts';
import type { Provider } from './served-datasource.ts';
import type { TelemetryStore } from './store.ts';
import type { StoreAccess } from './store-access.ts';

export interface DerivedSearchDeps {
  readonly access: StoreAccess;
  readonly cursors: Cursors<RecordPosition>;
  /** Shared with the searches of records. */
  readonly searches: FairQueue;
  readonly maxPageRows: number;
}

/** How a store finds the records of a dataset. */
export interface DerivedSource {
  readonly dataset: TelemetryDataset;
  upTo(store: TelemetryStore): number | Promise<number>;
  first(store: TelemetryStore, search: ProviderSearch, rows: number, signal: AbortSignal): Promise<FirstPage>;
  next(
    store: TelemetryStore,
    search: ProviderSearch,
    after: RecordPosition,
    rows: number,
    signal: AbortSignal,
  ): Promise<Page>;
}

/** Searches of derived records, page by page. */
export class DerivedSearch {
  readonly #deps: DerivedSearchDeps;
  readonly #source: DerivedSource;

  constructor(deps: DerivedSearchDeps, source: DerivedSource) {
    this.#deps = deps;
    this.#source = source;
  }

  search(account: string, searchQuery: SearchQuery, abandoned?: AbortSignal): Promise<ResultPage> {
    const { access, cursors, searches, maxPageRows } = this.#deps;
    return access.use(async (store) => {
      const search = this.#searchOf(account, searchQuery, await this.#source.upTo(store));
      const read = (signal: AbortSignal) => this.#source.first(store, search, maxPageRows, signal);
      const page = await searches.run(account, read, abandoned);
      return resultPage(cursors, store, search, searchQuery, page, page.rows, page.total);
    });
  }

  nextPage(account: string, cursorToken: string, abandoned?: AbortSignal): Promise<ResultPage> {
    const { access, cursors, searches, maxPageRows } = this.#deps;
    return access.use(async (store) => {
      const { path } = this.#source.dataset;
      const cursor = await cursors.read(cursorToken, { path, account, epoch: store.epoch });
      const search = this.#searchOf(account, cursor.question, cursor.upTo);
      const rows = Math.min(maxPageRows, maxRows - cursor.shown);
      const read = (signal: AbortSignal) => this.#source.next(store, search, cursor.after, rows, signal);
      const page = await searches.run(account, read, abandoned);
      const shown = cursor.shown + page.rows;
      return resultPage(cursors, store, search, cursor.question, page, shown, cursor.total);
    });
  }

  #searchOf(account: string, { range, filters, returns, provider }: SearchQuery, upTo: number) {
    const { dataset } = this.#source;
    return {
      ...{ dataset, account, provider: provider as Provider, range, upTo, returns },
      filters: readFilters(filters, fieldsOf(dataset)),
    };
  }
}
