import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFilter } from '../../search/filter.ts';
import { ManualClock } from '../../testing/clock.ts';
import { connections } from '../datasets/Connections.ts';
import { fieldsOf } from '../record-form.ts';
import { Engine } from './engine.ts';
import { Reader, type Wanted } from './reader.ts';
import { Segments } from './segments.ts';
import { Writer } from './writer.ts';

let directory: string;
let clock: ManualClock;
let engine: Engine;
let segments: Segments;
let writer: Writer;
let reader: Reader;

async function open(): Promise<void> {
  engine = await Engine.open(directory, { memory: '256MB', threads: 2 });
  segments = await Segments.open(engine, join(directory, 'days'), [connections]);
  writer = new Writer(engine, segments, clock);
  reader = new Reader(engine, segments);
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-telemetry-'));
  clock = new ManualClock();
  await open();
});
afterEach(() => {
  engine.close();
  rmSync(directory, { recursive: true, force: true });
});

const hour = 3_600_000;
const noon = Date.parse('2026-03-01T12:00:00.000Z');
const iso = (moment: number) => new Date(moment).toISOString();
const record = (start: number, rest = '') =>
  `{"startTime":"${iso(start)}","endTime":"${iso(start + hour)}","srcEntityType":"Process",` +
  `"srcEntityId":{"mid":9223372036854775807,"pid_hash":-9223372036854775808},"dstEntityType":"ServerPort",` +
  `"dstEntityId":{"port":"odd","protocol":"TCP"},"srcInBytes":1,"srcOutBytes":2,"dstInBytes":2,"dstOutBytes":1,` +
  `"numConns":1${rest}}`;
const store = (records: readonly string[], idempotencyKey?: string, account = 'A') =>
  writer.store({ account, dataset: connections, records, further: [], idempotencyKey });
const wanted = (rest: Partial<Wanted> = {}): Wanted => ({
  ...{ dataset: connections, account: 'A', filters: [], upTo: segments.lastSequence },
  range: { start: noon - 24 * hour, end: noon + 24 * hour },
  ...rest,
});

describe('the store of telemetry', () => {
  test('gives records back byte for byte, newest first, and counts them', async () => {
    const records = [0, 2, 1].map((offset) => record(noon + offset * hour, `,"more":"é\\u00e9 ${offset}"`));
    expect(await store(records)).toEqual({ records: 3, isRepeat: false });
    const page = await reader.page(wanted(), undefined, 5_000);
    expect(page.text).toBe([records[1], records[2], records[0]].join(','));
    expect([page.rows, await reader.count(wanted())]).toEqual([3, 3]);
  });

  test('is there again after it was opened anew, and numbers batches on', async () => {
    await store([record(noon)]);
    engine.close();
    await open();
    await store([record(noon + 1)]);
    expect(segments.lastSequence).toBe(2);
    expect((await reader.page(wanted(), undefined, 10)).rows).toBe(2);
  });

  test('shows what it kept while the first batch since it was opened is stored', async () => {
    await store([record(noon)]);
    for (let round = 0; round < 40; round++) {
      engine.close();
      await open();
      const upTo = segments.lastSequence;
      let isStored = false;
      const storing = store([record(noon)]).finally(() => {
        isStored = true;
      });
      const search = async () => {
        while (!isStored)
          expect((await reader.page(wanted({ upTo }), undefined, 5_000)).rows).toBe(round + 1);
      };
      await Promise.all([storing, search(), search()]);
    }
  });

  test('stores a batch with the same key once, for seven days, also after it was opened anew', async () => {
    await store([record(noon), record(noon)], 'k');
    expect(await store([record(noon), record(noon)], 'k')).toEqual({ records: 2, isRepeat: true });
    engine.close();
    await open();
    clock.advance(7 * 24 * hour - 1);
    expect(await store([record(noon)], 'k')).toEqual({ records: 2, isRepeat: true });
    expect(await store([record(noon)], 'k', 'B')).toEqual({ records: 1, isRepeat: false });
    clock.advance(1);
    expect(await store([record(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
    expect(await reader.count(wanted())).toBe(3);
  });

  test('stores nothing of a batch that fails, and goes on after it', async () => {
    const wrong = record(noon).replace('"srcInBytes":1', '"srcInBytes":9223372036854775808');
    await expect(store([record(noon), wrong], 'k')).rejects.toThrow();
    expect(segments.lastSequence).toBe(0);
    expect(await store([record(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
    expect(await reader.count(wanted())).toBe(1);
  });

  test('stores batches that come together each by itself: repeats once, a bad one not at all', async () => {
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
    expect(await reader.count(wanted())).toBe(4);
    expect(segments.lastSequence).toBe(3);
  });

  test('refuses a batch when too much waits already, and keeps every one that it took', async () => {
    const large = record(noon, `,"x":"${'y'.repeat(4_000_000)}"`);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => store([large])));
    const taken = outcomes.filter(({ status }) => status === 'fulfilled').length;
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.code] : [],
    );
    expect(new Set(refusals)).toEqual(new Set(['UNAVAILABLE']));
    expect(await reader.count(wanted())).toBe(taken);
    expect(await store([record(noon)])).toEqual({ records: 1, isRepeat: false });
  });

  test('walks all pages of the first moment exactly once while more arrives, over several days of arrival', async () => {
    for (let day = 0; day < 3; day++) {
      await store(
        Array.from({ length: 40 }, (_, index) =>
          record(noon + (index % 7) * hour, `,"id":"${day}.${index}"`),
        ),
      );
      clock.advance(24 * hour);
    }
    const first = wanted();
    const seen: string[] = [];
    let page = await reader.page(first, undefined, 7);
    while (page.last) {
      seen.push(...JSON.parse(`[${page.text}]`).map(({ id }: { id: string }) => id));
      await store([record(noon + 3 * hour, ',"id":"late"')]);
      page = await reader.page(first, page.last, 7);
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
    expect(seen).not.toContain('late');
  });

  test('never shows the records of another account', async () => {
    await store([record(noon, ',"whose":"A"')]);
    await store([record(noon, ',"whose":"B"')], undefined, 'B');
    const page = await reader.page(wanted({ account: 'B' }), undefined, 10);
    expect(JSON.parse(`[${page.text}]`)).toMatchObject([{ whose: 'B' }]);
  });

  test('has columns that were declared later filled from the records that it kept', async () => {
    const { numConns, dstEntityId, ...members } = connections.members;
    const earlier = { ...connections, members };
    await writer.store({
      account: 'A',
      dataset: earlier,
      records: [record(noon)],
      further: [],
      idempotencyKey: undefined,
    });
    engine.close();
    await open();
    await store([record(noon + 1).replace('"odd"', '443')]);
    const filter = (field: string, value: string) =>
      readFilter({ field, expression: 'eq', value }, 'filters[0]', fieldsOf(connections));
    expect(await reader.count(wanted({ filters: [filter('numConns', '1')] }))).toBe(2);
    expect(await reader.count(wanted({ filters: [filter('dstEntityId.protocol', 'TCP')] }))).toBe(2);
    expect(await reader.count(wanted({ filters: [filter('dstEntityId.port', 'odd')] }))).toBe(1);
    expect((await reader.page(wanted(), undefined, 10)).text).toContain(record(noon));
  });

  test('keeps what is not of the declared kind out of the typed columns and marks the record', async () => {
    const large = '"port":9223372036854775808';
    await store([
      record(noon),
      record(noon + 1).replace('"odd"', '443'),
      record(noon + 2).replace('"port":"odd"', large),
    ]);
    const rows = await engine.use((connection) =>
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

  test('forgets an account and nothing of another, and days that are past', async () => {
    await store([record(noon)], 'k');
    await store([record(noon)], undefined, 'B');
    clock.advance(24 * hour);
    await store([record(noon + 1)]);
    await writer.forget('A');
    expect(await reader.count(wanted())).toBe(0);
    expect(await reader.count(wanted({ account: 'B' }))).toBe(1);
    expect(await store([record(noon)], 'k')).toEqual({ records: 1, isRepeat: false });

    const days = () => readdirSync(join(directory, 'days')).filter((name) => name.endsWith('.duckdb'));
    expect(days()).toHaveLength(2);
    await segments.dropBefore(noon);
    expect(days()).toHaveLength(2);
    await segments.dropBefore(clock.now());
    expect(days()).toEqual([`${iso(clock.now()).slice(0, 10)}.duckdb`]);
    expect(await reader.count(wanted({ account: 'B' }))).toBe(0);
    expect(await reader.count(wanted())).toBe(1);
  });
});
