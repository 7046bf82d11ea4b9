import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFilter } from '../../search/filter.ts';
import { jsonArray } from '../../search/page.ts';
import { ManualClock } from '../../testing/clock.ts';
import { connections } from '../datasets/Connections.ts';
import { fieldsOf } from '../record-form.ts';
import type { RecordSearch } from '../record-search.ts';
import { recordSeparator } from '../record-strings.ts';
import { hour, iso, noon, connection as record, SampleStore } from './store.sample.ts';

let clock: ManualClock;
let sample: SampleStore;
beforeEach(async () => {
  clock = new ManualClock();
  sample = await SampleStore.open(clock, connections);
});
afterEach(() => sample.close());

const store = (records: readonly string[], idempotencyKey?: string, account = 'A') =>
  sample.writer.store({
    account,
    dataset: connections,
    records,
    isWellTyped: false,
    undeclaredMembers: [],
    idempotencyKey,
  });
const recordSearch = (rest: Partial<RecordSearch> = {}): RecordSearch => ({
  ...{ dataset: connections, account: 'A', filters: [], upTo: sample.segments.lastSequence },
  range: { start: noon - 24 * hour, end: noon + 24 * hour },
  ...rest,
});
const count = (search: RecordSearch) => sample.count(search);

describe('the telemetry store', () => {
  test('returns records byte for byte, newest first, and counts them', async () => {
    const records = [0, 2, 1].map((offset) => record(noon + offset * hour, `,"more":"é\\u00e9 ${offset}"`));
    expect(await store(records)).toEqual({ records: 3, isRepeat: false });
    const page = await sample.reader.first(recordSearch(), 5_000);
    expect(jsonArray(page)).toBe(`[${[records[1], records[2], records[0]].join(',')}]`);
    expect([page.rows, await count(recordSearch())]).toEqual([3, 3]);
  });

  test('sorts pages of thousands of records, byte for byte, in whatever order the engine returns them', async () => {
    // Adjacent records differ in length, so that swapped ones would show.
    const batches = [0, 1, 2].map((batch) =>
      Array.from({ length: 2_500 }, (_, at) =>
        record(
          noon + ((at * 7 + batch) % 5) * hour,
          `,"more":"${batch} ${at} ${'x'.repeat((at * 13) % 40)}"`,
        ),
      ),
    );
    for (const batch of batches) await store(batch);
    const instant = (json: string) => json.slice(0, json.indexOf(','));
    const expected = batches
      .toReversed()
      .flatMap((batch) => batch.toReversed())
      .toSorted((one, other) => (instant(one) < instant(other) ? 1 : instant(one) > instant(other) ? -1 : 0));
    for (const rows of [7_500, 5_000, 300]) {
      const pages: string[] = [];
      for await (const page of sample.pages(recordSearch(), rows))
        if (page.rows > 0) pages.push(jsonArray(page).slice(1, -1));
      expect(pages.length).toBe(Math.ceil(7_500 / rows));
      expect(pages.join(',') === expected.join(',')).toBe(true);
    }
  });

  test('frees the memory of a page of any size, and of no other page', async () => {
    const shuffled = (at: number) => record(noon + ((at * 7) % 1_000), `,"more":${at}`);
    await store(Array.from({ length: 2_000 }, (_, at) => shuffled(at)));
    const cases = [
      { page: recordSearch({ returns: ['none'] }), rows: 1, json: '[{}]' },
      { page: recordSearch({ returns: ['more'] }), rows: 5_000 },
      { page: recordSearch(), rows: 3 },
    ];
    for (const { page, rows, json } of cases) {
      const [one, other] = [await sample.reader.first(page, rows), await sample.reader.first(page, rows)];
      const shown = jsonArray(one);
      if (json) expect(shown).toBe(json);
      one.text.release();
      expect(() => jsonArray(one)).toThrow('detached');
      expect(jsonArray(other)).toBe(shown);
    }
  });

  test('returns members with arbitrary names', async () => {
    const members = { '*': 1, '': 2, 'a\\b': 3, ab: 4, 'q"': 5, 'a.b': 6, $: 7, é: [8], '[0]': { '*': 9 } };
    await store([record(noon, `,${JSON.stringify(members).slice(1, -1)}`)]);
    for (const [name, value] of Object.entries(members)) {
      const page = await sample.reader.first(recordSearch({ returns: [name, 'nothing', name] }), 10);
      expect(jsonArray(page)).toBe(`[${JSON.stringify({ [name]: value })}]`);
    }
    const all = await sample.reader.first(recordSearch({ returns: Object.keys(members) }), 10);
    expect(jsonArray(all)).toBe(`[${JSON.stringify(members)}]`);
  });

  test('rolls back a batch if the engine stores another number of records', async () => {
    const two = `${record(noon)}${recordSeparator}${record(noon + 1)}`;
    await expect(store([two, record(noon)])).rejects.toThrow('stored 3 of 2 records');
    expect(await count(recordSearch())).toBe(0);
    expect(await store([record(noon)])).toEqual({ records: 1, isRepeat: false });
  });

  test('keeps its records across a restart, and continues the sequence numbers', async () => {
    await store([record(noon)]);
    await sample.reopen();
    await store([record(noon + 1)]);
    expect(sample.segments.lastSequence).toBe(2);
    expect((await sample.reader.first(recordSearch(), 10)).rows).toBe(2);
  });

  test('returns its records while the first batch after a restart is stored', async () => {
    await store([record(noon)]);
    for (let round = 0; round < 40; round++) {
      await sample.reopen();
      const upTo = sample.segments.lastSequence;
      let isStored = false;
      const storing = store([record(noon)]).finally(() => {
        isStored = true;
      });
      const search = async () => {
        while (!isStored)
          expect((await sample.reader.first(recordSearch({ upTo }), 5_000)).rows).toBe(round + 1);
      };
      await Promise.all([storing, search(), search()]);
    }
  });

  test('never shows the first batch of another account stored concurrently', async () => {
    for (let round = 0; round < 40; round++) {
      // The file contains one account when the search starts.
      sample.close();
      sample = await SampleStore.open(clock, connections);
      await store([record(noon)]);
      await sample.reopen();
      const upTo = sample.segments.lastSequence;
      let isStored = false;
      const storing = store([record(noon)], undefined, 'B').finally(() => {
        isStored = true;
      });
      const search = async () => {
        while (!isStored) expect((await sample.reader.first(recordSearch({ upTo }), 5_000)).rows).toBe(1);
      };
      await Promise.all([storing, search(), search()]);
    }
  });

  test('stores a batch with the same key once in seven days, also across a restart', async () => {
    await store([record(noon), record(noon)], 'k');
    expect(await store([record(noon), record(noon)], 'k')).toEqual({ records: 2, isRepeat: true });
    await sample.reopen();
    clock.advance(7 * 24 * hour - 1);
    expect(await store([record(noon)], 'k')).toEqual({ records: 2, isRepeat: true });
    expect(await store([record(noon)], 'k', 'B')).toEqual({ records: 1, isRepeat: false });
    clock.advance(1);
    expect(await store([record(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
    expect(await count(recordSearch())).toBe(3);
  });

  test('rolls back a batch that fails, and accepts the next one', async () => {
    const wrong = record(noon).replace('"srcInBytes":1', '"srcInBytes":9223372036854775808');
    await expect(store([record(noon), wrong], 'k')).rejects.toThrow();
    expect(sample.segments.lastSequence).toBe(0);
    expect(await store([record(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
    expect(await count(recordSearch())).toBe(1);
  });

  test('stores concurrent batches independently: repeats once, invalid ones not at all', async () => {
    const wrong = record(noon).replace('"srcInBytes":1', '"srcInBytes":9223372036854775808');
    const outcomes = await Promise.allSettled([
      store([record(noon)]),
      store([record(noon + 1)], 'k'),
      store([record(noon + 1)], 'k'),
      store([wrong]),
      store([record(noon + 2), record(noon + 3)]),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'))).toEqual([
      { records: 1, isRepeat: false },
      { records: 1, isRepeat: false },
      { records: 1, isRepeat: true },
      'refused',
      { records: 2, isRepeat: false },
    ]);
    expect(await count(recordSearch())).toBe(4);
    expect(sample.segments.lastSequence).toBe(3);
  });

  test('refuses a batch if the queue is full, and stores every accepted one', async () => {
    const large = record(noon, `,"x":"${'y'.repeat(4_000_000)}"`);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => store([large])));
    const accepted = outcomes.filter(({ status }) => status === 'fulfilled').length;
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    expect(new Set(refusals)).toEqual(new Set(['UNAVAILABLE']));
    expect(await count(recordSearch())).toBe(accepted);
    expect(await store([record(noon)])).toEqual({ records: 1, isRepeat: false });
  });

  test('pages through the records of the first request exactly once, despite concurrent writes, across several days', async () => {
    for (let day = 0; day < 3; day++) {
      await store(
        Array.from({ length: 40 }, (_, index) =>
          record(noon + (index % 7) * hour, `,"id":"${day}.${index}"`),
        ),
      );
      clock.advance(24 * hour);
    }
    const first = recordSearch();
    const seen: string[] = [];
    for await (const page of sample.pages(first, 7)) {
      seen.push(...JSON.parse(jsonArray(page)).map(({ id }: { id: string }) => id));
      await store([record(noon + 3 * hour, ',"id":"late"')]);
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    expect(seen).not.toContain('late');
  });

  test('never shows the records of another account', async () => {
    await store([record(noon, ',"whose":"A"')]);
    await store([record(noon, ',"whose":"B"')], undefined, 'B');
    const page = await sample.reader.first(recordSearch({ account: 'B' }), 10);
    expect(JSON.parse(jsonArray(page))).toMatchObject([{ whose: 'B' }]);
  });

  test('fills columns declared later from stored records', async () => {
    const { numConns, dstEntityId, ...members } = connections.members;
    const earlier = { ...connections, members };
    await sample.writer.store({
      account: 'A',
      dataset: earlier,
      records: [record(noon)],
      isWellTyped: false,
      undeclaredMembers: [],
      idempotencyKey: undefined,
    });
    await sample.reopen();
    await store([record(noon + 1).replace('"odd"', '443')]);
    const filter = (field: string, value: string) =>
      readFilter({ field, expression: 'eq', value }, 'filters[0]', fieldsOf(connections));
    expect(await count(recordSearch({ filters: [filter('numConns', '1')] }))).toBe(2);
    expect(await count(recordSearch({ filters: [filter('dstEntityId.protocol', 'TCP')] }))).toBe(2);
    expect(await count(recordSearch({ filters: [filter('dstEntityId.port', 'odd')] }))).toBe(1);
    expect(jsonArray(await sample.reader.first(recordSearch(), 10))).toContain(record(noon));
  });

  test('keeps mistyped values out of the typed columns and marks the record', async () => {
    const large = '"port":9223372036854775808';
    await store([
      record(noon),
      record(noon + 1).replace('"odd"', '443'),
      record(noon + 2).replace('"port":"odd"', large),
    ]);
    const rows = await sample.engine.use((connection) =>
      connection.runAndReadAll(
        `select "srcEntityId.mid" as mid, "srcEntityId.pid_hash" as hash, "dstEntityId.port" as port, odd
          from "${iso(clock.now()).slice(0, 10)}"."Activities/Connections" order by t`,
      ),
    );
    const limits = { mid: 9223372036854775807n, hash: -9223372036854775808n };
    expect(rows.getRowObjects()).toEqual([
      { ...limits, port: null, odd: true },
      { ...limits, port: 443n, odd: false },
      { ...limits, port: null, odd: true },
    ]);
  });

  test('never shows records that arrive while their account is being removed', async () => {
    await store([record(noon)], undefined, 'B');
    await store([record(noon)]);
    const { writer } = sample;
    const exclusive = writer.exclusive.bind(writer);
    const late: Promise<unknown>[] = [];
    writer.exclusive = (work) => {
      const running = exclusive(work);
      if (late.length === 0) late.push(store([record(noon)]));
      return running;
    };
    await sample.maintenance.deleteAccount('A');
    expect(await Promise.all(late)).toEqual([{ records: 1, isRepeat: false }]);
    clock.advance(24 * hour);
    await store([record(noon + 1)], undefined, 'B');
    await sample.maintenance.compact();
    await sample.reopen();
    expect(await count(recordSearch({ account: 'B' }))).toBe(2);
  });

  test('fails or returns complete pages, whenever a search is aborted', async () => {
    await store(Array.from({ length: 5_000 }, (_, at) => record(noon + at)));
    for (let round = 0; round < 300; round++) {
      const aborting = new AbortController();
      const timer = setTimeout(() => aborting.abort(new Error('left')), round / 20);
      const page = await sample.reader
        .first(recordSearch(), 4_000, aborting.signal)
        .catch((error: Error) => error);
      clearTimeout(timer);
      if (page instanceof Error) expect(page.message).toBe('left');
      else expect([page.rows, page.total]).toEqual([4_000, 5_000]);
    }
  });

  test('removes an account without touching others, and past days', async () => {
    await store([record(noon)], 'k');
    await store([record(noon)], undefined, 'B');
    clock.advance(24 * hour);
    await store([record(noon + 1)]);
    await sample.maintenance.deleteAccount('A');
    expect(await count(recordSearch())).toBe(0);
    expect(await count(recordSearch({ account: 'B' }))).toBe(1);
    expect(await store([record(noon)], 'k')).toEqual({ records: 1, isRepeat: false });

    const days = () => sample.files();
    expect(days()).toHaveLength(2);
    await sample.maintenance.deleteBefore(noon);
    expect(days()).toHaveLength(2);
    await sample.maintenance.deleteBefore(clock.now());
    expect(days()).toEqual([`${iso(clock.now()).slice(0, 10)}.duckdb`]);
    expect(await count(recordSearch({ account: 'B' }))).toBe(0);
    expect(await count(recordSearch())).toBe(1);
  });
});
