import type { Scanner } from '../control/scan/scanner.ts';
import { JsonBytes } from '../http/reply.ts';
import type { Fields } from '../search/dataset.ts';
import { readSelection, type SearchBody } from '../search/request.ts';
import { isQuick } from '../search/step-budget.ts';
import { matchingStrings } from '../search/string-search.ts';
import type { ReadRequest } from './record-family.ts';

/**
 * Searches records as GET returns them, so that filters cannot probe values that GET hides. A search whose cost is not
 * known to be small runs in a thread of the scanner.
 */
export async function searchRecords(
  scanner: Scanner,
  records: readonly (object | string)[],
  body: SearchBody | undefined,
  fields: Fields,
  { scope, signal }: Pick<ReadRequest, 'scope' | 'signal'>,
): Promise<JsonBytes> {
  const search = readSelection(body, fields);
  const serialized = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
  const characters = serialized.reduce((sum, { length }) => sum + length, 0);
  if (isQuick(search.filters, characters)) return JsonBytes.array(matchingStrings(serialized, search));
  return JsonBytes.disposable(await scanner.search(scope.ownerId, serialized, search, signal));
}
