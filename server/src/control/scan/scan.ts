import type { Kysely } from 'kysely';
import { Refusal } from '../../platform/errors.ts';
import { StepBudget } from '../../search/step-budget.ts';
import { matchingStrings } from '../../search/string-search.ts';
import type { ControlDialect } from '../connect.ts';
import { type RecordSelection, type Row, readingOf } from './reading.ts';

export interface ScanRequest extends RecordSelection {
  /** A result with more rows is refused. */
  readonly maxRows: number;
  /** Additional records as JSON; the matching ones come first in the result. */
  readonly ahead?: readonly string[];
}

export const rowsAtOnce = 5_000;

/** Reads the owner's matching records in the order of the dataset, as the JSON of a complete response. */
export async function scan(
  db: Kysely<unknown>,
  dialect: ControlDialect,
  request: ScanRequest,
): Promise<string> {
  const { dataset, maxRows, search } = request;
  const budget = new StepBudget();
  const ahead = matchingStrings(request.ahead ?? [], search, budget);
  const { read, jsonOf } = readingOf(db, dialect, request, budget);
  const records = [...ahead];
  for (let last: Row | undefined; ; ) {
    const rows = await read(last, rowsAtOnce);
    for (const row of rows) {
      const json = jsonOf(row);
      if (json !== undefined) records.push(json);
    }
    if (records.length - ahead.length > maxRows) {
      throw new Refusal(
        'RESULT_TOO_LARGE',
        `More than ${maxRows} records match: ${dataset.time ? 'narrow timeFilter (startTime, endTime) or ' : ''}add filters.`,
      );
    }
    last = rows.at(-1);
    if (rows.length < rowsAtOnce) return `{"data":[${records.join(',')}]}`;
  }
}
