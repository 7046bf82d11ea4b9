import type { Cursors } from '../control/cursor.ts';
import type { ResultPage, SearchQuery } from '../search/page.ts';
import type { Page, RecordPosition } from './page.ts';
import type { RecordSearch } from './record-search.ts';
import type { TelemetryStore } from './store.ts';

/** A page with the cursor of the next one. */
export async function resultPage(
  cursors: Cursors<RecordPosition>,
  { epoch }: Pick<TelemetryStore, 'epoch'>,
  { dataset: { path }, account, upTo }: Pick<RecordSearch, 'dataset' | 'account' | 'upTo'>,
  searchQuery: SearchQuery,
  { text, rows, last, missingDays = [] }: Page,
  shown: number,
  total: number,
): Promise<ResultPage> {
  // No next page after an empty one: a client divides by the rows of a page.
  const isLast = last === undefined || shown >= total;
  const next = isLast
    ? undefined
    : await cursors.write({ path, account, question: searchQuery, epoch, upTo, after: last, shown, total });
  return { text, rows, totalRows: total, next, missingDays };
}
