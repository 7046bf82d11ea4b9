import { isDeepStrictEqual } from 'node:util';
import type { QueryLanguage } from '../../querying/language.ts';
import type { QueryRunner } from '../../querying/runner.ts';
import type { TimeRange } from '../../search/time-range.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { lastBatch } from '../evaluation/evaluator.ts';
import { stringifyExact } from '../evaluation/exact-json.ts';
import { keyOf, type Row, rowsOf } from '../evaluation/row.ts';
import { subjectOf } from '../evaluation/subject.ts';
import type { PolicyCase } from './cases.ts';

/** The store in which cases run, each in its own account to isolate them. */
export interface CaseStore {
  readonly telemetry: Telemetry;
  readonly runner: QueryRunner;
  readonly language: QueryLanguage;
  readonly range: TimeRange;
}

/** A case with its records in the store. */
export class StoredCase {
  readonly of: PolicyCase;
  readonly #account: string;
  readonly #place: CaseStore;

  private constructor(place: CaseStore, account: string, of: PolicyCase) {
    this.#place = place;
    this.#account = account;
    this.of = of;
  }

  static async take(place: CaseStore, account: string, of: PolicyCase): Promise<StoredCase> {
    for (const [dataset, records] of of.records) {
      const body = records.map((record) => JSON.stringify(record)).join('\n');
      await place.telemetry.intake.ingest({
        account,
        dataset,
        form: 'lines',
        body,
        idempotencyKey: undefined,
      });
    }
    return new StoredCase(place, account, of);
  }

  /** The difference from the expected violations; undefined if they match. */
  async complaint(query: string): Promise<string | undefined> {
    const violations = [...(await violationsOf(this.#place, this.#account, query)).values()];
    const { alerts, records } = this.of;
    if (alerts === 'none') return violations.length > 0 ? `fires: ${formatted(violations)}` : undefined;
    if (alerts === 'all') {
      const [expected] = [...records.values()].map((list) => list.length);
      return violations.length === expected
        ? undefined
        : `fires for ${violations.length} of ${expected} records: ${formatted(violations)}`;
    }
    const missing = alerts.filter((row) => violations.filter((other) => contains(other, row)).length !== 1);
    if (missing.length > 0)
      return `does not fire once for each of ${formatted(missing)}, but: ${formatted(violations)}`;
    return violations.length > alerts.length
      ? `fires for more than it should: ${formatted(violations)}`
      : undefined;
  }
}

/** The violating rows by violation key. */
export async function violationsOf(
  { telemetry, runner, language, range }: CaseStore,
  account: string,
  query: string,
): Promise<Map<string, Row>> {
  const read = language.read(query);
  const subject = subjectOf(read);
  const upTo = await lastBatch(telemetry, account, subject);
  const arrived = subject.streams.length > 0 ? { after: 0, upTo } : undefined;
  const violations = new Map<string, Row>();
  for await (const rows of rowsOf(runner.run(read, { account, range, ...(arrived && { arrived }) })))
    for (const row of rows) violations.set(keyOf(row, subject), row);
  return violations;
}

/** Whether the value contains everything expected. */
function contains(value: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return isDeepStrictEqual(value, expected);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(expected).every(([name, inner]) => contains((value as Row)[name], inner));
}

const formatted = (rows: readonly unknown[]) => rows.map(stringifyExact).join(', ') || 'nothing';
