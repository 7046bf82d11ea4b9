import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonArray } from '../../../search/page.ts';
import { ManualClock } from '../../../testing/clock.ts';
import { connections } from '../../datasets/Connections.ts';
import { users } from '../../datasets/Users.ts';
import type { Page } from '../../page.ts';
import type { RecordSearch } from '../../record-search.ts';
import { SampleStore } from '../store.sample.ts';

let clock: ManualClock;
let store: SampleStore;
beforeEach(async () => {
  clock = new ManualClock();
  store = await SampleStore.open(clock, users, connections);
});
afterEach(() => store.close());

const day = 24 * 3_600_000;
const first = Date.parse('2026-03-01T12:00:00.000Z');
const user = (instant: number, id: number) =>
  `{"createdTime":"${new Date(instant).toISOString()}","mid":1,"username":"u","uid":${id},"primaryGroupName":"g"}`;
const add = (records: readonly string[], account = 'A', idempotencyKey?: string) =>
  store.writer.store({
    account,
    dataset: users,
    records,
    isWellTyped: false,
    undeclaredMembers: [],
    idempotencyKey,
  });
const recordSearch = (rest: Partial<RecordSearch> = {}): RecordSearch => ({
  ...{ dataset: users, account: 'A', filters: [], upTo: store.segments.lastSequence },
  range: { start: first - 30 * day, end: first + 30 * day },
  ...rest,
});
const idsOf = (page: Page) => JSON.parse(jsonArray(page)).map(({ uid }: { uid: number }) => uid);

async function idsOfAllPages(search: RecordSearch, rows: number): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of store.pages(search, rows)) ids.push(...idsOf(page));
  return ids;
}

describe('telemetry maintenance', () => {
  test('seals past days, compresses them after a week, and changes no result', async () => {
    await add([user(first, 1), user(first + 2, 2)], 'A', 'key');
    await add([user(first + 1, 3)], 'B');
    await add([user(first + 1, 4), user(first - 1, 5)]);
    await store.maintenance.compact();
    expect(store.files()).toEqual(['2026-03-01.duckdb']);

    clock.advance(day);
    await add([user(first + 1, 6)]);
    const before = await store.reader.first(recordSearch(), 10);
    expect(idsOf(before)).toEqual([2, 6, 4, 1, 5]);
    for (const [later, file] of [
      [0, '2026-03-01.sealed-1.duckdb'],
      [7 * day, '2026-03-01.cold-2.duckdb'],
    ] as const) {
      clock.advance(later);
      await store.maintenance.compact();
      expect(store.files()).toEqual([file, '2026-03-02.duckdb']);
      expect(await store.reader.first(recordSearch(), 10)).toEqual(before);
      expect(await idsOfAllPages(recordSearch(), 2)).toEqual([2, 6, 4, 1, 5]);
      await store.reopen();
      expect(await store.reader.first(recordSearch(), 10)).toEqual(before);
    }
    clock.advance(-2 * day);
    expect(await add([user(first, 1)], 'A', 'key')).toEqual({ records: 2, isRepeat: true });
  });

  test('sorts rows by account and result order, and compresses documents of cold days', async () => {
    for (let batch = 0; batch < 6; batch++) {
      await add([user(first + batch, batch), user(first, batch)], batch % 2 ? 'A' : 'B');
    }
    clock.advance(10 * day);
    await add([user(first, 9)]);
    await store.maintenance.compact();
    const [rows, compression] = await store.engine.use(async (connection) => [
      await connection.runAndReadAll(
        `select account, t::integer as t from (select account, t - ${first} as t
          from "2026-03-01.cold-1"."Entities/Users" order by rowid)`,
      ),
      await connection.runAndReadAll(
        `select distinct compression from pragma_storage_info('"2026-03-01.cold-1"."Entities/Users"')
          where column_name = 'doc' and segment_type = 'VARCHAR'`,
      ),
    ]);
    expect(rows?.getRows().map(String)).toEqual([
      'A,5',
      'A,3',
      'A,1',
      'A,0',
      'A,0',
      'A,0',
      'B,4',
      'B,2',
      'B,0',
      'B,0',
      'B,0',
      'B,0',
    ]);
    expect(compression?.getRows()).toEqual([['ZSTD']]);
  });

  test('lets running searches finish with their file', async () => {
    await add(Array.from({ length: 5_000 }, (_, id) => user(first + (id % 100), id)));
    clock.advance(day);
    await add([user(first, -1)]);
    const searches = Array.from({ length: 20 }, () => store.reader.first(recordSearch(), 5_000));
    const [pages] = await Promise.all([Promise.all(searches), store.maintenance.compact()]);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([5_001]));
    expect(new Set(pages.map(jsonArray)).size).toBe(1);
    expect(store.files()).toEqual(['2026-03-01.sealed-1.duckdb', '2026-03-02.duckdb']);
  });

  test('uses the newest file of a day and removes leftovers of a crash', async () => {
    await add([user(first, 1)]);
    clock.advance(day);
    await add([user(first, 2)]);
    await store.engine.use((connection) => connection.run('checkpoint "2026-03-01"'));
    copyFileSync(join(store.days, '2026-03-01.duckdb'), join(store.directory, 'kept'));
    await store.maintenance.compact();
    copyFileSync(join(store.directory, 'kept'), join(store.days, '2026-03-01.duckdb'));
    writeFileSync(join(store.days, '2026-03-01.cold-2.duckdb.new'), 'half a file');
    await store.reopen();
    expect(store.files()).toEqual(['2026-03-01.sealed-1.duckdb', '2026-03-02.duckdb']);
    expect(await store.count(recordSearch())).toBe(2);
  });

  test('writes to the newest day if the clock is set back', async () => {
    await add([user(first, 1)]);
    clock.advance(day);
    await add([user(first, 2)]);
    clock.advance(-day);
    await add([user(first, 3)]);
    await store.maintenance.compact();
    expect(store.files()).toEqual(['2026-03-01.sealed-1.duckdb', '2026-03-02.duckdb']);
    expect(await idsOfAllPages(recordSearch(), 10)).toEqual([3, 2, 1]);
  });

  test('keeps the data of an undeclared dataset', async () => {
    await add([user(first, 1)]);
    await store.engine.use((connection) =>
      connection.run('create table "2026-03-01"."Entities/Gone" as select 7 as seven'),
    );
    clock.advance(day);
    await add([user(first, 2)]);
    await store.maintenance.compact();
    const rows = await store.engine.use((connection) =>
      connection.runAndReadAll('select * from "2026-03-01.sealed-1"."Entities/Gone"'),
    );
    expect(rows.getRows()).toEqual([[7]]);
  });

  test('pages are the same for any segment forms, record distribution and page size', async () => {
    const record = fc.record({
      instant: fc.integer({ min: -3 * day, max: 3 * day }).map((offset) => first + offset),
      arrival: fc.integer({ min: 0, max: 9 }),
      account: fc.constantFrom('A', 'B'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: -3 * day, max: 2 * day }),
        fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
        async (records, rows, from, compactions) => {
          const time = new ManualClock();
          const one = await SampleStore.open(time, users);
          try {
            const stored: { instant: number; id: number }[] = [];
            for (let arrival = 0; arrival < 10; arrival++) {
              for (const [id, { instant, account }] of records.entries()) {
                if (records[id]?.arrival !== arrival) continue;
                const batch = {
                  account,
                  dataset: users,
                  records: [user(instant, id)],
                  isWellTyped: false,
                  undeclaredMembers: [],
                };
                await one.writer.store({ ...batch, idempotencyKey: undefined });
                if (account === 'A') stored.push({ instant, id });
              }
              if (compactions[arrival]) await one.maintenance.compact();
              time.advance(day);
            }
            const range = { start: first + from, end: first + 2 * day + 1 };
            const search = { ...recordSearch({ range }), upTo: one.segments.lastSequence };
            const expected = stored
              .filter(({ instant }) => instant >= range.start && instant < range.end)
              // Each batch has one record, and batches were stored in this order.
              .map((entry, seq) => ({ ...entry, seq }))
              .sort((left, right) => right.instant - left.instant || right.seq - left.seq)
              .map(({ id }) => id);
            const ids: number[] = [];
            for await (const page of one.pages(search, rows)) ids.push(...idsOf(page));
            expect(ids).toEqual(expected);
            expect(await one.count(search)).toBe(expected.length);
          } finally {
            one.close();
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});
