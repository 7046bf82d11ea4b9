import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { StreamedBuffer } from '../../platform/streamed-buffer.ts';
import type { Dataset } from '../../search/dataset.ts';
import { readFilters } from '../../search/filter.ts';
import { maxPageRows, maxRows, type ResultPage, type SearchQuery } from '../../search/page.ts';
import { Cursors } from '../cursor.ts';
import type { ControlStore } from '../store.ts';
import type { PageMetadata } from './page-scan.ts';
import type { Place } from './reading.ts';
import type { Scanner } from './scanner.ts';

export interface PagedSearchDeps {
  readonly store: ControlStore;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly scanner: Scanner;
  /** Its key must be an increasing number, to exclude later records. */
  readonly dataset: Dataset;
}

/** Constant: a restore of the control store does not invalidate cursors. */
const epoch = '';

/** Searches records of the control store page by page; records added meanwhile are not part of the search. */
export class PagedSearch {
  readonly #deps: PagedSearchDeps;
  readonly #cursors: Cursors<Place>;

  constructor(deps: PagedSearchDeps) {
    this.#deps = deps;
    this.#cursors = new Cursors(deps);
  }

  async search(ownerId: string, question: SearchQuery, signal?: AbortSignal): Promise<ResultPage> {
    const { scanner, dataset } = this.#deps;
    const search = this.#parse(question);
    const request = { dataset, ownerId, search, rows: maxPageRows, after: undefined };
    const page = await scanner.page(request, signal);
    return this.#resultPage(ownerId, question, page, page.rows, page.total ?? page.rows);
  }

  async nextPage(ownerId: string, encodedCursor: string, signal?: AbortSignal): Promise<ResultPage> {
    const { scanner, dataset } = this.#deps;
    const cursor = await this.#cursors.read(encodedCursor, { path: dataset.name, account: ownerId, epoch });
    const { question, upTo, after, shown, total } = cursor;
    const rows = Math.min(maxPageRows, maxRows - shown);
    const search = this.#parse(question);
    const page = await scanner.page({ dataset, ownerId, search, upTo, rows, after }, signal);
    return this.#resultPage(ownerId, question, page, shown + page.rows, total);
  }

  #parse({ range, filters, returns }: SearchQuery) {
    const { dataset } = this.#deps;
    return { range, filters: readFilters(filters, dataset), returns };
  }

  async #resultPage(
    account: string,
    question: SearchQuery,
    { json, rows, last, upTo }: PageMetadata & { readonly json: Buffer<ArrayBuffer> },
    shown: number,
    total: number,
  ): Promise<ResultPage> {
    // Never a next page after an empty one: a client divides by the number of rows.
    const isLast = last === undefined || shown >= total;
    const { name: path } = this.#deps.dataset;
    const next = isLast
      ? undefined
      : await this.#cursors.write({ path, account, question, epoch, upTo, after: last, shown, total });
    return { text: StreamedBuffer.of(json), rows, totalRows: total, next };
  }
}
