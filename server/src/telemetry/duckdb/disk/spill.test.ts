import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { connections } from '../../datasets/Connections.ts';
import type { Space } from '../../file-system.ts';
import { connection, hour, noon, type SampleDisk, SampleStore } from '../store.sample.ts';

const spillCap = 80e6;
let clock: ManualClock;
let sample: SampleStore;
beforeEach(async () => {
  clock = new ManualClock(noon);
  sample = await SampleStore.open(clock, connections);
  await open({});
});
afterEach(async () => {
  await sample.engine.settled();
  sample.close();
});

async function open(disk: SampleDisk): Promise<void> {
  sample.disk = { spillCap, memory: '40MB', ...disk };
  await sample.reopen();
}
const spilledFiles = () => readdirSync(join(sample.directory, 'spill'));
/** Rows of a kilobyte that can not be packed. */
const rowsSql = (rows: number) => {
  const parts = Array.from({ length: 32 }, (_, part) => `md5((i * 32 + ${part})::varchar)`);
  return `select concat(${parts.join(', ')}) as "row" from range(${rows}) as rows(i)`;
};
const query = (rows: number, put: () => Promise<void> | undefined, signal = new AbortController().signal) =>
  sample.querying.run('A', () => ({ sql: rowsSql(rows), parameters: [] }), put, signal);
/** Keeps them until all are there, and puts none out. */
const keep = (rows: number) =>
  sample.engine.use(async (taken) => {
    await taken.run(`create temp table kept as ${rowsSql(rows)}`);
    await taken.run('drop table kept');
  });

describe('what a query spills', () => {
  test('is bounded: one that needs more is refused with what to do, others run on, and nothing of it stays', async () => {
    let chunks = 0;
    const small = query(1_000, () => {
      chunks++;
      return undefined;
    });
    await expect(query(140_000, () => undefined)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('Not enough disk space for the intermediate results'),
    });
    await small;
    expect(chunks).toBeGreaterThan(1);
    expect(sample.engine.spilled).toBe(0);
    expect(spilledFiles()).toEqual([]);
  });

  test('goes when nobody reads on, and when its rows can not be taken', async () => {
    let spilled = 0;
    const gone = new AbortController();
    const abandoned = query(
      50_000,
      () => {
        spilled = sample.engine.spilled;
        gone.abort(new Error('left'));
        return new Promise(() => {});
      },
      gone.signal,
    );
    await expect(abandoned).rejects.toThrow('left');
    expect(spilled).toBeGreaterThan(1e6);
    expect(spilledFiles()).toEqual([]);
    const broken = query(50_000, () => {
      throw new Error('broken');
    });
    await expect(broken).rejects.toThrow('broken');
    expect(spilledFiles()).toEqual([]);
  });

  test('goes also where records that are only logged lie among it', async () => {
    await open({ spillCap: 400e6 });
    for (let batch = 0; batch < 40; batch++) {
      const marked = (at: number) => connection(noon, `,"x":"${Math.random()}${'y'.repeat(500)}${at}"`);
      await sample.writer.store({
        ...{ account: 'A', dataset: connections, idempotencyKey: undefined, isWellTyped: false, further: [] },
        records: Array.from({ length: 1_000 }, (_, at) => marked(at)),
      });
    }
    await sample.spill.during(() => query(50_000, () => undefined));
    expect(sample.engine.spilled).toBeGreaterThan(0);
    await sample.upkeep.idle();
    expect(spilledFiles()).toEqual([]);
    const wanted = { dataset: connections, account: 'A', filters: [], upTo: sample.segments.lastSequence };
    expect(await sample.count({ ...wanted, range: { start: noon, end: noon + hour } })).toBe(40_000);
  });

  test('goes at the start when a process was killed', async () => {
    const file = join(sample.directory, 'spill', 'duckdb_temp_storage_DEFAULT-0.tmp');
    writeFileSync(file, Buffer.alloc(1_000));
    expect(sample.engine.spilled).toBe(1_000);
    await sample.reopen();
    expect(spilledFiles()).toEqual([]);
  });

  test('never takes the reserve of the disk, and may take more again when there is room', async () => {
    let space: Space = { size: 100e9, free: 256e6 + 2e6 };
    await open({ space: async () => space });
    await sample.spill.adjust();
    await expect(keep(50_000)).rejects.toThrow('max_temp_directory_size');
    space = { size: 100e9, free: 1e9 };
    clock.advance(1_000);
    await sample.spill.adjust();
    await keep(50_000);
    await expect(keep(140_000)).rejects.toThrow('max_temp_directory_size');
    // A day that is written anew may take more, and no more than that.
    await expect(sample.spill.forRewrite(10e6, () => keep(140_000))).rejects.toThrow(
      'max_temp_directory_size',
    );
    await sample.spill.forRewrite(200e6, () => keep(140_000));
    await expect(keep(140_000)).rejects.toThrow('max_temp_directory_size');
  });

  test('leaves alone what batches took meanwhile', async () => {
    await open({ space: async () => ({ size: 100e9, free: 256e6 + 75e6 }) });
    await sample.spill.adjust();
    await keep(50_000);
    await sample.budget.spend(70e6);
    await expect(keep(50_000)).rejects.toThrow('max_temp_directory_size');
  });

  test('is nothing where its directory is gone', () => {
    rmSync(join(sample.directory, 'spill'), { recursive: true });
    expect(sample.engine.spilled).toBe(0);
  });

  test('is a part of the cap of the disk: no day goes because of it, and days leave it alone', async () => {
    await open({ cap: 5_000_000, setAside: 4_000_000 });
    const large = () => connection(clock.now(), `,"x":"${'y'.repeat(300_000)}"`);
    const store = () =>
      sample.writer.store({
        ...{ account: 'A', dataset: connections, records: [large()], isWellTyped: false, further: [] },
        idempotencyKey: undefined,
      });
    await store();
    await expect(store()).rejects.toThrow('use up VEDETTE_DISK_CAP (5 MB)');
    clock.advance(24 * hour);
    await store();
    await sample.budget.idle();
    expect(sample.files().map((name) => name.slice(0, 10))).toEqual(['2026-03-02']);
  });
});
