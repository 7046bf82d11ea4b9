import type { Scanner } from '../control/scan/scanner.ts';
import { JsonBytes } from '../http/reply.ts';
import type { Dataset } from '../search/dataset.ts';
import { readSelection, type SearchBody } from '../search/request.ts';
import type { ReadRequest } from './record-family.ts';

const maxRows = 100_000;

/** Searches the built-in records, then the stored ones, in a thread of the scanner. Without a body it lists all of them. */
export async function storedRecords(
  { scanner, dataset, builtIn }: { scanner: Scanner; dataset: Dataset; builtIn: readonly object[] },
  { scope: { ownerId }, signal }: Pick<ReadRequest, 'scope' | 'signal'>,
  body?: SearchBody,
): Promise<JsonBytes> {
  const search = readSelection(body, dataset);
  const serialized = builtIn.map((record) => JSON.stringify(record));
  return JsonBytes.disposable(
    await scanner.scan({ dataset, ownerId, search, maxRows, ahead: serialized }, signal),
  );
}
