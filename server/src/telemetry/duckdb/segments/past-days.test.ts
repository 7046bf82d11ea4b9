import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFilter } from '../../../search/filter.ts';
import { jsonArray } from '../../../search/page.ts';
import { ManualClock } from '../../../testing/clock.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import { users } from '../../datasets/Users.ts';
import { window } from '../../members.ts';
import { fieldsOf } from '../../record-form.ts';
import type { RecordSearch } from '../../record-search.ts';
import { iso, noon, SampleStore } from '../store.sample.ts';

const day = 24 * 3_600_000;
const numbers = {
  uid: { type: 'integer', description: 'User ID.' },
  tick: { type: 'integer', description: 'Increases with arrival.' },
} as const;
const instants: TelemetryDataset = {
  ...{ ...users, path: 'Instants', datasources: [] },
  members: { ...users.members, ...numbers },
};
const spans: TelemetryDataset = {
  ...{ ...users, path: 'Spans', identity: ['uid'], datasources: [] },
  members: { ...window, ...numbers },
  range: { by: 'overlap' },
};
const starts: TelemetryDataset = { ...spans, path: 'Starts', range: { by: 'start' } };
/** Shows only the newest record of each uid. */
const newest: TelemetryDataset = {
  ...{ ...instants, path: 'Newest' },
  search: { isPaged: true, newestPer: 'uid' },
};
const datasets = [instants, spans, starts, newest];

interface StoredRow {
  readonly account: string;
  readonly dataset: TelemetryDataset;
  readonly seq: number;
  readonly n: number;
  readonly start: number;
  readonly end: number;
  readonly uid: number;
  readonly tick: number;
}

const jsonOf = ({ dataset, start, end, uid, tick }: Omit<StoredRow, 'account' | 'seq' | 'n'>) =>
  JSON.stringify(
    dataset.range.by === 'instant'
      ? { createdTime: iso(start), mid: 1, username: 'u', uid, primaryGroupName: 'g', tick }
      : { startTime: iso(start), endTime: iso(end), uid, tick },
  );

/** Few distinct timestamps, so that many records share one, and some that end before they begin. */
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
const arrivals = fc.record({
  batches: fc.array(batch, { maxLength: 5 }),
  isCompacted: fc.boolean(),
  isReopened: fc.boolean(),
});
type Arrivals = typeof arrivals extends fc.Arbitrary<infer Value> ? Value : never;
const search = fc.record({
  account: fc.constantFrom('A', 'B'),
  dataset: fc.constantFrom(...datasets),
  start: fc.integer({ min: -6, max: 5 }).map((half) => noon + (half * day) / 2),
  length: fc.integer({ min: 1, max: 12 }).map((half) => (half * day) / 2),
  /** The share of batches that is visible. */
  upTo: fc.double({ min: 0.5, max: 1, noNaN: true }),
  rows: fc.integer({ min: 1, max: 30 }),
  /** Restricts to earlier records, if given; resources with newer records then do not match. */
  below: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined }),
});

describe('pages', () => {
  test('show the visible records of the range in order, for any layout of segments', async () => {
    const property = fc.asyncProperty(
      fc.array(arrivals, { minLength: 2, maxLength: 10 }),
      fc.array(search, { minLength: 12, maxLength: 12 }),
      async (days, searches) => {
        const clock = new ManualClock();
        const store = await SampleStore.open(clock, ...datasets);
        try {
          const stored = await storeDays(store, clock, days);
          for (const { account, dataset, start, length, upTo: share, rows, below } of searches) {
            const upTo = Math.round(store.segments.lastSequence * share);
            const range = { start, end: start + length };
            const filter = { field: 'tick', expression: 'lt', value: below ?? 0 };
            const filters = below === undefined ? [] : [readFilter(filter, 'filter', fieldsOf(dataset))];
            const recordSearch = { dataset, account, range, filters, upTo };
            const expected = expectedRows(stored, recordSearch, below);
            const pages: string[][] = [];
            for await (const page of store.pages(recordSearch, rows))
              pages.push(JSON.parse(jsonArray(page)).map((one: object) => JSON.stringify(one)));
            expect(pages.flat()).toEqual(expected);
            for (const page of pages.slice(0, -1)) expect(page).toHaveLength(rows);
            expect(await store.count(recordSearch)).toBe(expected.length);
          }
        } finally {
          store.close();
        }
      },
    );
    await fc.assert(property, { numRuns: 12 });
  }, 120_000);
});

test('pages of windows that begin before the range are full', async () => {
  const store = await SampleStore.open(new ManualClock(), spans);
  try {
    // Sparser than the records in the range, from which the extent is estimated.
    const startOf = (uid: number) => noon - (uid < 100 ? uid * 10 : uid * 40 - 3_000);
    const records = Array.from({ length: 350 }, (_, uid) =>
      jsonOf({ dataset: spans, start: startOf(uid), end: noon + day, uid, tick: uid }),
    );
    const batch = {
      account: 'A',
      dataset: spans,
      isWellTyped: false,
      undeclaredMembers: [],
      idempotencyKey: undefined,
    };
    await store.writer.store({ ...batch, records });
    const range = { start: noon - 1_000, end: noon + 1 };
    const recordSearch = { dataset: spans, account: 'A', range, filters: [], upTo: 1 };
    for (const _ of ['first', 'with an estimate']) {
      const rows: number[] = [];
      for await (const page of store.pages(recordSearch, 40)) rows.push(page.rows);
      expect(rows).toEqual([40, 40, 40, 40, 40, 40, 40, 40, 30]);
    }
  } finally {
    store.close();
  }
});

test('only the newest record of each value is matched by filters', async () => {
  const store = await SampleStore.open(new ManualClock(), newest);
  try {
    const json = (uid: number, tick: number) =>
      jsonOf({ dataset: newest, start: noon + tick, end: noon, uid, tick });
    const batch = {
      account: 'A',
      dataset: newest,
      isWellTyped: false,
      undeclaredMembers: [],
      idempotencyKey: undefined,
    };
    await store.writer.store({ ...batch, records: [json(1, 1), json(1, 3), json(2, 2)] });
    const shown = async (expression: string, value: number) => {
      const filters = [readFilter({ field: 'tick', expression, value }, 'filter', fieldsOf(newest))];
      const range = { start: noon, end: noon + day };
      const page = await store.reader.first({ dataset: newest, account: 'A', range, filters, upTo: 1 }, 10);
      return [jsonArray(page), page.total];
    };
    expect(await shown('lt', 2)).toEqual(['[]', 0]);
    expect(await shown('lt', 3)).toEqual([`[${json(2, 2)}]`, 1]);
    expect(await shown('ne', 2)).toEqual([`[${json(1, 3)}]`, 1]);
  } finally {
    store.close();
  }
});

async function storeDays(
  store: SampleStore,
  clock: ManualClock,
  days: readonly Arrivals[],
): Promise<StoredRow[]> {
  const stored: StoredRow[] = [];
  for (const { batches, isCompacted, isReopened } of days) {
    for (const { account, dataset, records } of batches) {
      const seq = store.segments.lastSequence + 1;
      const added = records.map(({ start, length }, n) => ({
        ...{ account, dataset, seq, n, start, end: start + length },
        uid: dataset === newest ? n % 9 : stored.length + n,
        tick: stored.length + n,
      }));
      await store.writer.store({
        ...{ account, dataset, isWellTyped: false, undeclaredMembers: [], idempotencyKey: undefined },
        records: added.map(jsonOf),
      });
      stored.push(...added);
    }
    if (isCompacted) await store.maintenance.compact();
    if (isReopened) await store.reopen();
    clock.advance(day);
  }
  return stored;
}

/** The expected result, record by record. */
function expectedRows(
  stored: readonly StoredRow[],
  { dataset, account, range, upTo }: RecordSearch,
  below = Number.POSITIVE_INFINITY,
): string[] {
  const isInRange = ({ start, end }: StoredRow) =>
    start < range.end && (dataset === spans ? end > range.start : start >= range.start);
  const visible = stored
    .filter((one) => one.account === account && one.dataset === dataset && one.seq <= upTo && isInRange(one))
    .sort((one, other) => other.start - one.start || other.seq - one.seq || other.n - one.n);
  const isShown = (one: StoredRow, at: number) =>
    one.tick < below && (dataset !== newest || visible.findIndex(({ uid }) => uid === one.uid) === at);
  return visible.filter(isShown).map(jsonOf);
}
