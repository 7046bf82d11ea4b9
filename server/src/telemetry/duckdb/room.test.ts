import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { ManualClock } from '../../testing/clock.ts';
import { connections } from '../datasets/Connections.ts';
import type { Space } from '../file-system.ts';
import { carryKeys } from './idempotency-keys.ts';
import type { Segment } from './segments.ts';
import { connection, hour, iso, noon, openSampleStore, type SampleOptions } from './store.sample.ts';

let directory: string;
let clock: ManualClock;
let lines: string[];
let parts: Awaited<ReturnType<typeof openSampleStore>>;

async function open(options: SampleOptions = {}): Promise<void> {
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  parts = await openSampleStore(directory, clock, { log, ...options });
}
async function reopen(options: SampleOptions = {}): Promise<void> {
  parts.engine.close();
  await open(options);
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'vedette-room-'));
  clock = new ManualClock(noon);
  lines = [];
});
afterEach(() => {
  parts.engine.close();
  rmSync(directory, { recursive: true, force: true });
});

const day = 24 * hour;
/** A record of so many bytes that can not be packed. */
const large = (bytes = 200_000) =>
  connection(clock.now(), `,"x":"${randomBytes((bytes * 3) / 4).toString('base64')}"`);
const store = (records: readonly string[], idempotencyKey?: string, account = 'A') =>
  parts.writer.store({ account, dataset: connections, records, further: [], idempotencyKey });
const wanted = () => ({
  ...{ dataset: connections, account: 'A', filters: [], upTo: parts.segments.lastSequence },
  range: { start: noon - 100 * day, end: noon + 100 * day },
});
const count = () => parts.reader.count(wanted());
const days = () =>
  readdirSync(join(directory, 'days'))
    .filter((name) => name.endsWith('.duckdb'))
    .map((name) => name.slice(0, 10));
const nextDay = () => clock.advance(day);
const dropped = () =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'a day of telemetry was dropped')
    .map(({ level, day, bytes, reason }) => ({ level, day, bytes, reason }));

describe('the cap of the disk', () => {
  const cap = 5_000_000;

  test('is never passed: the oldest day goes first, and the log tells which, how much and why', async () => {
    await open({ cap });
    for (let round = 0; round < 3; round++, nextDay()) {
      for (let batch = 0; batch < 5; batch++) {
        await store([large()]);
        expect(parts.room.taken).toBeLessThan(cap);
      }
    }
    expect(days()).toEqual(['2026-03-02', '2026-03-03']);
    expect(await count()).toBe(10);
    const reason = 'telemetry would take more than VEDETTE_DISK_CAP, 5 MB';
    expect(dropped()).toEqual([{ level: 'warn', day: '2026-03-01', bytes: expect.any(Number), reason }]);
    expect(dropped()[0]?.bytes).toBeGreaterThan(700_000);
  });

  test('refuses batches when what arrived today takes it up; searches go on, and so does the next day', async () => {
    await open({ cap });
    let taken = 0;
    const refusal = await (async () => {
      for (; taken < 100; taken++) await store([large()]);
    })().catch((error) => error);
    expect(refusal).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('takes all of VEDETTE_DISK_CAP, 5 MB: raise it'),
    });
    expect(parts.room.taken).toBeLessThan(cap);
    expect(taken).toBeGreaterThan(8);
    expect(await count()).toBe(taken);
    expect(await store([connection(noon)])).toEqual({ records: 1, isRepeat: false });
    nextDay();
    await store([large()]);
    await store([large(1_200_000)]);
    expect(days()).toEqual(['2026-03-02']);
    expect(await count()).toBe(2);
  });

  test('lets no day go for a batch that could never fit, nor because of it', async () => {
    await open({ cap });
    await store([large()]);
    nextDay();
    const outcomes = await Promise.allSettled([store([large(5_000_000)]), store([large()])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(days()).toEqual(['2026-03-01', '2026-03-02']);
    expect(await count()).toBe(2);
  });

  test('that is set lower later is kept to without a batch coming in; the last day stays', async () => {
    await open();
    for (let round = 0; round < 3; round++, nextDay()) await store([large()]);
    await reopen({ cap: 1_000_000 });
    await parts.room.keepWithinCap();
    expect(days()).toEqual(['2026-03-03']);
    expect(dropped().map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02']);
    expect(await count()).toBe(1);
  });

  test('never costs today, even when the clock was put back', async () => {
    await open({ cap });
    nextDay();
    await store([large()]);
    clock.advance(-day);
    for (let batch = 0; batch < 4; batch++) await store([large(600_000)]).catch(() => undefined);
    expect(days()).toContain('2026-03-01');
    expect(parts.room.taken).toBeLessThan(cap);
  });

  test('waits for searches that began before; those that come meanwhile do without the day', async () => {
    await open();
    for (let round = 0; round < 2; round++, nextDay()) await store([large()]);
    const [oldest] = parts.segments.all();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = parts.engine.use(async (taken) => {
      await begun;
      return taken.runAndReadAll(`select records from ${oldest?.table('batches')}`);
    });
    const dropping = parts.room.dropBefore(clock.now());
    for (let turn = 0; turn < 1_000 && (await count()) > 1; turn++);
    for (let turn = 0; turn < 10; turn++) expect(await count()).toBe(1);
    expect(days()).toHaveLength(2);
    begin();
    expect((await slow).getRows()).toEqual([[1]]);
    await dropping;
    expect(days()).toHaveLength(1);
  });
});

describe('idempotency keys', () => {
  test('hold their seven days although retention is shorter, through several days that go', async () => {
    await open();
    await store([connection(clock.now())], 'k');
    await store([connection(clock.now())], 'k', 'B');
    await store([connection(clock.now())]);
    for (let round = 0; round < 6; round++) {
      nextDay();
      await store([connection(clock.now())]);
      await parts.room.dropBefore(clock.now() - hour);
      expect(days()).toEqual([iso(clock.now()).slice(0, 10)]);
    }
    await reopen();
    clock.advance(day - 1);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: true });
    expect(await store([connection(noon)], 'k', 'C')).toEqual({ records: 1, isRepeat: false });
    clock.advance(1);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
    await parts.room.dropBefore(clock.now());
    expect(await store([connection(noon)], 'k', 'B')).toEqual({ records: 1, isRepeat: false });
  });

  test('hold when the cap drops their day', async () => {
    await open({ cap: 4_000_000 });
    await store([large(), large()], 'k');
    nextDay();
    for (let batch = 0; batch < 8; batch++) await store([large()]);
    expect(days()).toEqual(['2026-03-02']);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 2, isRepeat: true });
  });

  test('are carried once when a process ended after carrying them and before the day was gone', async () => {
    await open();
    await store([connection(noon)], 'k');
    nextDay();
    await store([connection(noon)]);
    const [older, newer] = parts.segments.all();
    if (!older || !newer) throw new Error('two days were expected');
    const carry = () => parts.engine.use((taken) => carryKeys(taken, older, newer, clock.now()));
    await carry();
    await reopen();
    await parts.room.dropBefore(clock.now());
    const rows = await parts.engine.use((taken) =>
      taken.runAndReadAll(`select idempotency_key from ${newer.table('batches')} order by seq`),
    );
    expect(rows.getRows()).toEqual([['k'], [null]]);
  });

  test('of an account go with it, also those that were carried', async () => {
    await open();
    await store([connection(noon)], 'k');
    nextDay();
    await store([connection(noon)]);
    await Promise.all([
      parts.writer.forget('A'),
      parts.writer.inTurn(() => parts.room.dropBefore(clock.now())),
    ]);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
  });
});

describe('the reserve of free space', () => {
  let space: Space;
  let measured: number;
  const measure = async () => {
    measured++;
    return space;
  };
  beforeEach(() => {
    space = { size: 100e9, free: 256e6 };
    measured = 0;
  });

  test('is not written to: batches are refused with what to do, searches go on, and room is noticed', async () => {
    await open({ space: measure });
    await store([connection(noon)]);
    space = { size: 100e9, free: 255_999_999 };
    clock.advance(1_000);
    await expect(store([connection(noon)], 'k')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message:
        'Nothing was stored, for the disk is full (255 MB are free): free some space, lower VEDETTE_RETENTION_DAYS or ' +
        'set VEDETTE_DISK_CAP, then send the batch again.',
    });
    expect(await count()).toBe(1);
    space = { size: 100e9, free: 256e6 };
    clock.advance(1_000);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
  });

  test('is not touched before the file took up what waits beside it, while there is room for that', async () => {
    await open({ space: measure });
    const batch = () =>
      Array.from({ length: 20_000 }, (_, n) => connection(noon + n, `,"x":"${'y'.repeat(600)}"`));
    await store(batch());
    const log = () => parts.segments.sizeOf(parts.segments.all()[0] as Segment).log;
    const before = log();
    expect(before).toBeGreaterThan(16e6);
    space = { size: 100e9, free: 256e6 + before };
    clock.advance(1_000);
    await store([connection(noon)]);
    expect(log()).toBeGreaterThan(before);
    space = { size: 100e9, free: 256e6 + before - 1 };
    clock.advance(1_000);
    await store([connection(noon)]);
    expect(log()).toBeLessThan(100_000);
    await store(batch());
    space = { size: 10e6, free: before - 1e6 };
    clock.advance(1_000);
    await store([connection(noon)]);
    expect(log()).toBeGreaterThan(before);
    expect(await count()).toBe(40_003);
  });

  test('is a twentieth of a small file system', async () => {
    space = { size: 1e9, free: 50e6 };
    await open({ space: measure });
    await store([connection(noon)]);
    space = { size: 1e9, free: 49_999_999 };
    clock.advance(1_000);
    await expect(store([connection(noon)])).rejects.toThrow('49 MB are free');
  });

  test('is looked at once a second, not for every batch', async () => {
    await open({ space: measure });
    for (let batch = 0; batch < 5; batch++) await store([connection(noon)]);
    expect(measured).toBe(1);
    clock.advance(1_000);
    await store([connection(noon)]);
    expect(measured).toBe(2);
  });
});
