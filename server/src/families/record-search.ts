import type { Fields } from '../search/dataset.ts';
import { matcher } from '../search/evaluator.ts';
import { project } from '../search/record.ts';
import { readSelection, type SearchBody } from '../search/request.ts';

/** Searches records as GET returns them, so that what GET hides can not be found by guessing either. */
export function searchRecords<Shown extends object>(
  records: readonly Shown[],
  body: SearchBody | undefined,
  fields: Fields,
): Partial<Shown>[] {
  const { filters, returns } = readSelection(body, fields);
  const matches = matcher(filters);
  return records
    .filter((record) => matches(record as Record<string, unknown>))
    .map((record) => project(record as Record<string, unknown>, returns) as Partial<Shown>);
}
