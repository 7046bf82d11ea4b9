import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrayText } from '../../search/page.ts';
import { ManualClock } from '../../testing/clock.ts';
import type { TelemetryDataset } from '../dataset.ts';
import { users } from '../datasets/Users.ts';
import { window } from '../members.ts';
import type { Wanted } from './scope.ts';
import { iso, noon, SampleStore } from './store.sample.ts';

const day = 24 * 3_600_000;
const instants = users;
const id = { uid: { type: 'integer', description: 'Its number.' } } as const;
const spans: TelemetryDataset = {
  ...{ ...users, path: 'Spans', identity: ['uid'], datasources: [] },
  members: { ...window, ...id },
  range: { by: 'overlap' },
};
const starts: TelemetryDataset = { ...spans, path: 'Starts', range: { by: 'start' } };
const datasets = [instants, spans, starts];

interface Kept {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  readonly seq: number;
  readonly n: number;
  readonly start: number;
  readonly end: number;
  readonly uid: number;
}

const textOf = ({ dataset, start, end, uid }: Pick<Kept, 'dataset' | 'start' | 'end' | 'uid'>) =>
  JSON.stringify(
    dataset === instants
      ? { createdTime: iso(start), mid: 1, username: 'u', uid, primaryGroupName: 'g' }
      : { startTime: iso(start), endTime: iso(end), uid },
  );

/** Few moments, so that many records begin at the same one, and some that end before they begin. */
const record = fc.record({
  start: fc.oneof(
    fc.integer({ min: -4, max: 4 }).map((half) => noon + (half * day) / 2),
    fc.integer({ min: -2 * day, max: 2 * day }).map((offset) => noon + offset),
  ),
  length: fc.integer({ min: -day, max: 2 * day }),
});
const batch = fc.record({
  account: fc.constantFrom('A', 'A', 'B'),
  dataset: fc.constantFrom(...datasets),
  records: fc.array(record, { minLength: 1, maxLength: 40 }),
});
const arrivals = fc.record({ batches: fc.array(batch, { maxLength: 5 }), isTidied: fc.boolean() });
type Arrivals = typeof arrivals extends fc.Arbitrary<infer Value> ? Value : never;
const question = fc.record({
  account: fc.constantFrom('A', 'B'),
  dataset: fc.constantFrom(...datasets),
  start: fc.integer({ min: -6, max: 5 }).map((half) => noon + (half * day) / 2),
  length: fc.integer({ min: 1, max: 12 }).map((half) => (half * day) / 2),
  /** Of the batches that there are. */
  upTo: fc.double({ min: 0.5, max: 1, noNaN: true }),
  rows: fc.integer({ min: 1, max: 30 }),
});

describe('pages', () => {
  test('show what is in the range of what there was, in order, however days lie in their files', async () => {
    const property = fc.asyncProperty(
      fc.array(arrivals, { minLength: 2, maxLength: 10 }),
      fc.array(question, { minLength: 12, maxLength: 12 }),
      async (days, questions) => {
        const clock = new ManualClock();
        const store = await SampleStore.open(clock, ...datasets);
        try {
          const kept = await live(store, clock, days);
          for (const { account, dataset, start, length, upTo: share, rows } of questions) {
            const upTo = Math.round(store.segments.lastSequence * share);
            const range = { start, end: start + length };
            const wanted = { dataset, account, range, filters: [], upTo };
            const expected = answer(kept, wanted);
            const found: string[] = [];
            for await (const page of store.pages(wanted, rows)) {
              expect(page.rows).toBeLessThanOrEqual(rows);
              found.push(...JSON.parse(arrayText(page)).map((one: object) => JSON.stringify(one)));
            }
            expect(found).toEqual(expected);
            expect(await store.count(wanted)).toBe(expected.length);
          }
        } finally {
          store.close();
        }
      },
    );
    await fc.assert(property, { numRuns: 12 });
  }, 120_000);
});

async function live(store: SampleStore, clock: ManualClock, days: readonly Arrivals[]): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const { batches, isTidied } of days) {
    for (const { account, dataset, records } of batches) {
      const seq = store.segments.lastSequence + 1;
      const added = records.map(({ start, length }, n) => ({
        ...{ account, dataset, seq, n, start, end: start + length, uid: kept.length + n },
      }));
      await store.writer.store({
        ...{ account, dataset, isEven: false, further: [], idempotencyKey: undefined },
        records: added.map(textOf),
      });
      kept.push(...added);
    }
    if (isTidied) await store.upkeep.tidy();
    clock.advance(day);
  }
  return kept;
}

/** What the specification of a search says, record by record. */
function answer(kept: readonly Kept[], { dataset, account, range, upTo }: Wanted): string[] {
  const isIn = ({ start, end }: Kept) =>
    start < range.end && (dataset === spans ? end > range.start : start >= range.start);
  return kept
    .filter((one) => one.account === account && one.dataset === dataset && one.seq <= upTo && isIn(one))
    .sort((one, other) => other.start - one.start || other.seq - one.seq || other.n - one.n)
    .map(textOf);
}
