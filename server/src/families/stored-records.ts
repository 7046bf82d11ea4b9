import type { Scanner } from '../control/scan/scanner.ts';
import { JsonBytes } from '../http/reply.ts';
import type { Dataset } from '../search/dataset.ts';
import { readSelection, type SearchBody } from '../search/request.ts';
import type { ReadRequest } from './record-family.ts';

const maxRows = 100_000;

/**
 * Lists and searches records in a thread of the scanner: first those that every account has, then those that lie in
 * the store. Without a body it lists them all.
 */
export async function storedRecords(
  { scanner, dataset, builtIn }: { scanner: Scanner; dataset: Dataset; builtIn: readonly object[] },
  { scope: { ownerId }, signal }: Pick<ReadRequest, 'scope' | 'signal'>,
  body?: SearchBody,
): Promise<JsonBytes> {
  const search = readSelection(body, dataset);
  const ahead = builtIn.map((record) => JSON.stringify(record));
  return JsonBytes.disposable(await scanner.scan({ dataset, ownerId, search, maxRows, ahead }, signal));
}
