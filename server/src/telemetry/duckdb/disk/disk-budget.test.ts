import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { canLimitFiles, limitFiles } from '../../../testing/file-size-limit.ts';
import { connections } from '../../datasets/Connections.ts';
import type { Space } from '../../file-system.ts';
import { carryKeys } from '../segments/idempotency-keys.ts';
import type { Segment } from '../segments/segment.ts';
import { connection, hour, iso, noon, type SampleDisk, SampleStore } from '../store.sample.ts';

let clock: ManualClock;
let sample: SampleStore;
beforeEach(async () => {
  clock = new ManualClock(noon);
  sample = await SampleStore.open(clock, connections);
});
afterEach(() => sample.close());

async function open(disk: SampleDisk = {}): Promise<void> {
  sample.disk = disk;
  await sample.reopen();
}

const day = 24 * hour;
/** An incompressible record of that size. */
const large = (bytes = 200_000) =>
  connection(clock.now(), `,"x":"${randomBytes((bytes * 3) / 4).toString('base64')}"`);
const store = (records: readonly string[], idempotencyKey?: string, account = 'A') =>
  sample.writer.store({
    ...{ account, dataset: connections, records, isWellTyped: false, undeclaredMembers: [] },
    idempotencyKey,
  });
const recordSearch = () => ({
  ...{ dataset: connections, account: 'A', filters: [], upTo: sample.segments.lastSequence },
  range: { start: noon - 100 * day, end: noon + 100 * day },
});
const count = () => sample.count(recordSearch());
/** The days on disk after all dropped days are removed. */
const days = async () => {
  await sample.budget.idle();
  return sample.files().map((name) => name.slice(0, 10));
};
const nextDay = () => clock.advance(day);
const dropped = () =>
  sample.logLines
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'a day of telemetry was dropped')
    .map(({ level, day, bytes, reason }) => ({ level, day, bytes, reason }));

describe('the disk cap', () => {
  const cap = 5_000_000;

  test('is never exceeded: the oldest day is dropped first, and the log names day, size and reason', async () => {
    await open({ cap });
    for (let round = 0; round < 3; round++, nextDay()) {
      for (let batch = 0; batch < 5; batch++) {
        await store([large()]);
        expect(sample.budget.used).toBeLessThan(cap);
      }
    }
    expect(await days()).toEqual(['2026-03-02', '2026-03-03']);
    expect(await count()).toBe(10);
    const reason = 'telemetry would take more than VEDETTE_DISK_CAP, 5 MB';
    expect(dropped()).toEqual([{ level: 'warn', day: '2026-03-01', bytes: expect.any(Number), reason }]);
    expect(dropped()[0]?.bytes).toBeGreaterThan(700_000);
  });

  test('refuses batches if today uses it up; searches still work, and so does the next day', async () => {
    await open({ cap });
    let accepted = 0;
    const refusal = await (async () => {
      for (; accepted < 100; accepted++) await store([large()]);
    })().catch((error) => error);
    expect(refusal).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('use up VEDETTE_DISK_CAP (5 MB): raise it'),
    });
    expect(sample.budget.used).toBeLessThan(cap);
    expect(accepted).toBeGreaterThan(8);
    expect(await count()).toBe(accepted);
    expect(await store([connection(noon)])).toEqual({ records: 1, isRepeat: false });
    nextDay();
    await store([large()]);
    await store([large(1_200_000)]);
    expect(await days()).toEqual(['2026-03-02']);
    expect(await count()).toBe(2);
  });

  test('is exceeded while dropping is suspended, and enforced again afterwards', async () => {
    await open({ cap });
    sample.budget.suspendDropping();
    for (let round = 0; round < 3; round++, nextDay())
      for (let batch = 0; batch < 5; batch++) await store([large()]);
    expect(await days()).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(await count()).toBe(15);
    sample.budget.resumeDropping();
    await store([large()]);
    expect((await days()).slice(-1)).toEqual(['2026-03-04']);
    expect(await days()).not.toContain('2026-03-01');
    expect(sample.budget.used).toBeLessThan(cap);
  });

  test('drops no day for a batch that can never fit', async () => {
    await open({ cap });
    await store([large()]);
    nextDay();
    const outcomes = await Promise.allSettled([store([large(5_000_000)]), store([large()])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await days()).toEqual(['2026-03-01', '2026-03-02']);
    expect(await count()).toBe(2);
  });

  test('that is lowered is enforced without a new batch; the last day is kept', async () => {
    await open();
    for (let round = 0; round < 3; round++, nextDay()) await store([large()]);
    await open({ cap: 1_000_000 });
    await sample.budget.keepWithinCap();
    expect(await days()).toEqual(['2026-03-03']);
    expect(dropped().map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02']);
    expect(await count()).toBe(1);
  });

  test('a record from the far future does not extend the retention of its day', async () => {
    await open();
    await store([connection(noon), connection(noon + 10_000 * day)]);
    nextDay();
    await store([connection(clock.now())]);
    for (const [later, remaining] of [
      [day, 2],
      [2 * day, 1],
    ] as const) {
      await sample.budget.dropBefore(noon + later);
      expect(await days()).toHaveLength(remaining);
    }
  });

  test('drops a day without waiting for its readers, but frees its disk space after them', async () => {
    await open();
    for (let round = 0; round < 2; round++, nextDay()) await store([large()]);
    const [oldest] = sample.segments.all();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const slow = sample.segments.pinned(async () => {
      await begun;
      return sample.engine.use((db) => db.runAndReadAll(`select records from ${oldest?.table('batches')}`));
    });
    await sample.budget.dropBefore(clock.now());
    for (let round = 0; round < 10; round++) expect(await count()).toBe(1);
    expect(sample.files()).toHaveLength(2);
    begin();
    expect((await slow).getRows()).toEqual([[1]]);
    expect(await days()).toHaveLength(1);
  });
});

describe('a day that is rewritten', () => {
  const forms = () => sample.files().map((name) => name.replace('.duckdb', ''));

  test('gets space for both files from older days, never from itself', async () => {
    await open({ cap: 8_000_000 });
    for (let round = 0; round < 2; round++, nextDay()) await store([large(400_000)]);
    await store([large(600_000), large(600_000)]);
    nextDay();
    await store([large(400_000)]);
    await sample.maintenance.compact();
    await sample.budget.idle();
    expect(forms()).toEqual(['2026-03-02.sealed-1', '2026-03-03.sealed-1', '2026-03-04']);
    expect(dropped().map(({ day }) => day)).toEqual(['2026-03-01']);
    expect(await count()).toBe(4);
  });

  test('is left unchanged if only dropping it could free the space', async () => {
    await open({ cap: 3_000_000 });
    await store([large(600_000)]);
    nextDay();
    await store([large(400_000)]);
    await sample.maintenance.compact();
    expect(forms()).toEqual(['2026-03-01', '2026-03-02']);
    await open({ space: async () => ({ size: 1e12, free: 256e6 + 600_000 }) });
    await sample.maintenance.compact();
    expect(forms()).toEqual(['2026-03-01', '2026-03-02']);
    await open();
    await sample.maintenance.compact();
    expect(forms()).toEqual(['2026-03-01.sealed-1', '2026-03-02']);
    expect(await count()).toBe(2);
  });

  test('and dropped meanwhile is not restored', async () => {
    await store(Array.from({ length: 20_000 }, (_, n) => connection(noon + n)));
    nextDay();
    await store([connection(noon)]);
    const compaction = sample.maintenance.compact();
    const isWritten = () => forms().some((name) => name.endsWith('.new'));
    for (let round = 0; round < 10_000 && !isWritten(); round++) await setImmediate();
    await sample.budget.dropBefore(clock.now());
    await compaction;
    expect(await days()).toEqual(['2026-03-02']);
    expect(await count()).toBe(1);
    await sample.reopen();
    expect(await count()).toBe(1);
  });

  test.skipIf(!canLimitFiles)('leaves no files behind if the disk becomes full', async () => {
    await store(Array.from({ length: 5_000 }, (_, n) => connection(noon + n)));
    nextDay();
    await store([connection(noon)]);
    limitFiles(300_000);
    await expect(sample.maintenance.compact().finally(() => limitFiles('unlimited'))).rejects.toThrow(
      'File too large',
    );
    expect(forms()).toEqual(['2026-03-01', '2026-03-02']);
    expect(await count()).toBe(5_001);
    await sample.maintenance.compact();
    expect(forms()).toEqual(['2026-03-01.sealed-1', '2026-03-02']);
    expect(await count()).toBe(5_001);
  });
});

describe('idempotency keys', () => {
  test('are valid for seven days despite shorter retention, across several dropped days', async () => {
    await open();
    await store([connection(clock.now())], 'k');
    await store([connection(clock.now())], 'k', 'B');
    await store([connection(clock.now())]);
    for (let round = 0; round < 6; round++) {
      nextDay();
      await store([connection(clock.now())]);
      await sample.budget.dropBefore(clock.now() - hour);
      expect(await days()).toEqual([iso(clock.now()).slice(0, 10)]);
    }
    await sample.reopen();
    clock.advance(day - 1);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: true });
    expect(await store([connection(noon)], 'k', 'C')).toEqual({ records: 1, isRepeat: false });
    clock.advance(1);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
    await sample.budget.dropBefore(clock.now());
    expect(await store([connection(noon)], 'k', 'B')).toEqual({ records: 1, isRepeat: false });
  });

  test('are valid after the cap drops their day', async () => {
    await open({ cap: 4_000_000 });
    await store([large(), large()], 'k');
    nextDay();
    for (let batch = 0; batch < 8; batch++) await store([large()]);
    expect(await days()).toEqual(['2026-03-02']);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 2, isRepeat: true });
  });

  test('are carried once if a process crashed between carrying them and removing the day', async () => {
    await open();
    await store([connection(noon)], 'k');
    nextDay();
    await store([connection(noon)]);
    const [older, newer] = sample.segments.all();
    if (!older || !newer) throw new Error('two days were expected');
    const carry = () => sample.engine.use((db) => carryKeys(db, older, newer, clock.now()));
    await carry();
    await sample.reopen();
    await sample.budget.dropBefore(clock.now());
    const rows = await sample.engine.use((db) =>
      db.runAndReadAll(`select idempotency_key from ${newer.table('batches')} order by seq`),
    );
    expect(rows.getRows()).toEqual([['k'], [null]]);
  });

  test('of an account are removed with it, including carried ones', async () => {
    await open();
    await store([connection(noon)], 'k');
    nextDay();
    await store([connection(noon)]);
    await Promise.all([sample.maintenance.deleteAccount('A'), sample.maintenance.deleteBefore(clock.now())]);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
  });
});

describe('the disk reserve', () => {
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

  test('is not used: batches are refused with a remedy, searches still work, and freed space is noticed', async () => {
    await open({ space: measure });
    await store([connection(noon)]);
    space = { size: 100e9, free: 255_999_999 };
    clock.advance(1_000);
    await expect(store([connection(noon)], 'k')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message:
        'The batch was not stored because the disk is full (255 MB free, 256 MB reserved): free some space, lower ' +
        'VEDETTE_RETENTION_DAYS or set VEDETTE_DISK_CAP, then send the batch again.',
    });
    expect(await count()).toBe(1);
    space = { size: 100e9, free: 256e6 };
    clock.advance(1_000);
    expect(await store([connection(noon)], 'k')).toEqual({ records: 1, isRepeat: false });
  });

  test('is used only after a checkpoint, as long as there is space for one', async () => {
    await open({ space: measure });
    const batch = () =>
      Array.from({ length: 20_000 }, (_, n) => connection(noon + n, `,"x":"${'y'.repeat(600)}"`));
    await store(batch());
    const log = () => sample.segments.sizeOf(sample.segments.all()[0] as Segment).log;
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
    await expect(store([connection(noon)])).rejects.toThrow('the disk is full');
    expect(log()).toBeGreaterThan(before - 100_000);
    expect(await count()).toBe(40_002);
  });

  test('holds on a small file system during checkpoints and between measurements', async () => {
    const capacity = 64e6;
    const used = () => sample.budget.used;
    await open({ space: async () => ({ size: capacity, free: capacity - used() }) });
    const largest = () => sample.segments.sizeOf(sample.segments.all()[0] as Segment);
    let accepted = 0;
    const fill = async () => {
      // The clock does not advance, so the disk is not measured for every batch.
      for (; ; accepted += 4) {
        const before = largest();
        await store([large(), large(), large(), large()]);
        const { file } = largest();
        // During the checkpoint both were on disk.
        expect(file + before.log).toBeLessThan(capacity - 3.2e6);
      }
    };
    await store([large()]);
    await expect(fill()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('disk is full'),
    });
    expect(accepted).toBeGreaterThan(60);
    const { log } = largest();
    await sample.segments.checkpoint(sample.segments.all()[0] as Segment);
    expect(largest().file + log).toBeLessThan(capacity - 3.2e6);
    expect(await count()).toBe(accepted + 1);
  });

  test('is a twentieth of a small file system', async () => {
    space = { size: 1e9, free: 50e6 };
    await open({ space: measure });
    await store([connection(noon)]);
    space = { size: 1e9, free: 49_999_999 };
    clock.advance(1_000);
    await expect(store([connection(noon)])).rejects.toThrow('49 MB free');
  });

  test('is measured once a second, not for every batch', async () => {
    space = { size: 100e9, free: 300e6 };
    await open({ space: measure });
    for (let batch = 0; batch < 5; batch++) await store([connection(noon)]);
    expect(measured).toBe(1);
    clock.advance(1_000);
    await store([connection(noon)]);
    expect(measured).toBe(2);
  });
});
