import type { Scanner } from '../control/scan/scanner.ts';
import { JsonBytes } from '../http/reply.ts';
import type { Fields } from '../search/dataset.ts';
import { readSelection, type SearchBody } from '../search/request.ts';
import { isQuick } from '../search/step-budget.ts';
import { matchingStrings } from '../search/string-search.ts';
import type { ReadRequest } from './record-family.ts';

/**
 * Searches records as GET returns them, so that what GET hides can not be found by guessing either. A search that is not
 * quick by construction runs in a thread of the scanner.
 */
export async function searchRecords(
  scanner: Scanner,
  records: readonly (object | string)[],
  body: SearchBody | undefined,
  fields: Fields,
  { scope, signal }: Pick<ReadRequest, 'scope' | 'signal'>,
): Promise<JsonBytes> {
  const search = readSelection(body, fields);
  const texts = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (isQuick(search.filters, characters)) return JsonBytes.array(matchingStrings(texts, search));
  return JsonBytes.disposable(await scanner.search(scope.ownerId, texts, search, signal));
}
