import type { Scanner } from '../control/scan/scanner.ts';
import { JsonBytes } from '../http/reply.ts';
import type { Dataset } from '../search/dataset.ts';
import { matcher } from '../search/evaluator.ts';
import { type ApiRecord, project } from '../search/record.ts';
import { readSelection, type SearchBody } from '../search/request.ts';

const mostRows = 100_000;

/**
 * Lists and searches records in the thread of the scanner: first those that every account has, then those that lie in
 * the store. Without a body it lists them all.
 */
export async function storedRecords(
  { scanner, dataset, builtIn }: { scanner: Scanner; dataset: Dataset; builtIn: readonly object[] },
  ownerId: string,
  body?: SearchBody,
): Promise<JsonBytes> {
  const search = readSelection(body, dataset);
  const matches = matcher(search.filters);
  const ahead = (builtIn as readonly ApiRecord[])
    .filter(matches)
    .map((record) => JSON.stringify(project(record, search.returns)));
  return new JsonBytes(await scanner.scan({ dataset, ownerId, search, mostRows, ahead }));
}
