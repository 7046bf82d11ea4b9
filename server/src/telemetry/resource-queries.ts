import type { Cursors } from '../control/cursor.ts';
import type { FairQueue } from '../platform/fair-queue.ts';
import { readFilters } from '../search/filter.ts';
import { maxRows, type ResultPage, type SearchQuery } from '../search/page.ts';
import type { TelemetryDataset } from './dataset.ts';
import { inventoryRecord } from './inventory-record.ts';
import type { RecordPosition } from './page.ts';
import { fieldsOf } from './record-form.ts';
import type { KnownCloudAccount, ResourceSearch } from './resource-search.ts';
import { resultPage } from './result-page.ts';
import type { Provider } from './served-datasource.ts';
import type { StoreAccess } from './store-access.ts';

export interface ResourceQueriesDeps {
  readonly access: StoreAccess;
  readonly cursors: Cursors<RecordPosition>;
  /** Shared with the searches of records. */
  readonly searches: FairQueue;
  readonly maxPageRows: number;
}

/** Searches of the cloud resources of an account. */
export class ResourceQueries {
  readonly #deps: ResourceQueriesDeps;

  constructor(deps: ResourceQueriesDeps) {
    this.#deps = deps;
  }

  search(account: string, searchQuery: SearchQuery, abandoned?: AbortSignal): Promise<ResultPage> {
    const { access, cursors, searches, maxPageRows } = this.#deps;
    return access.use(async (store) => {
      const search = searchOf(account, searchQuery, store.lastSnapshot());
      const read = (signal: AbortSignal) => store.firstResources(search, maxPageRows, signal);
      const page = await searches.run(account, read, abandoned);
      return resultPage(cursors, store, search, searchQuery, page, page.rows, page.total);
    });
  }

  nextPage(account: string, cursorToken: string, abandoned?: AbortSignal): Promise<ResultPage> {
    const { access, cursors, searches, maxPageRows } = this.#deps;
    return access.use(async (store) => {
      const { path } = inventoryRecord;
      const cursor = await cursors.read(cursorToken, { path, account, epoch: store.epoch });
      const search = searchOf(account, cursor.question, cursor.upTo);
      const rows = Math.min(maxPageRows, maxRows - cursor.shown);
      const read = (signal: AbortSignal) => store.nextResources(search, cursor.after, rows, signal);
      const page = await searches.run(account, read, abandoned);
      return resultPage(
        cursors,
        store,
        search,
        cursor.question,
        page,
        cursor.shown + page.rows,
        cursor.total,
      );
    });
  }

  /** The versions of a resource as JSON separated by commas, newest first. */
  versions(account: string, provider: Provider, urn: string): Promise<string> {
    const { access, searches } = this.#deps;
    return access.use((store) => searches.run(account, () => store.resourceVersions(account, provider, urn)));
  }

  /** The subscriptions or projects of which resources are stored. */
  cloudAccounts(account: string, provider: 'azure' | 'gcp'): Promise<KnownCloudAccount[]> {
    const { access, searches } = this.#deps;
    return access.use((store) => searches.run(account, () => store.cloudAccounts(account, provider)));
  }
}

function searchOf(
  account: string,
  { range, filters, returns, provider }: SearchQuery,
  upTo: number,
): ResourceSearch & { readonly dataset: TelemetryDataset } {
  return {
    ...{ dataset: inventoryRecord, account, provider: provider as Provider, range, upTo, returns },
    filters: readFilters(filters, fieldsOf(inventoryRecord)),
  };
}
