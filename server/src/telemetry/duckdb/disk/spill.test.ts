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
/** Incompressible rows of one kilobyte. */
const rowsSql = (rows: number) => {
  const hashes = Array.from({ length: 32 }, (_, index) => `md5((i * 32 + ${index})::varchar)`);
  return `select concat(${hashes.join(', ')}) as "row" from range(${rows}) as rows(i)`;
};
const query = (rows: number, put: () => Promise<void> | undefined, signal = new AbortController().signal) =>
  sample.querying.run('A', () => ({ sql: rowsSql(rows), parameters: [] }), put, signal);
/** Materializes the rows and returns none. */
const materialize = (rows: number) =>
  sample.engine.use(async (db) => {
    await db.run(`create temp table kept as ${rowsSql(rows)}`);
    await db.run('drop table kept');
  });

describe('spilled results', () => {
  test('are bounded: a larger query is refused with a remedy, others continue, and no spill files remain', async () => {
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

  test('are removed if the client disconnects or a write fails', async () => {
    let spilled = 0;
    const aborting = new AbortController();
    const abandoned = query(
      50_000,
      () => {
        spilled = sample.engine.spilled;
        aborting.abort(new Error('left'));
        return new Promise(() => {});
      },
      aborting.signal,
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

  test('are removed even if they contain records that are only in the write-ahead log', async () => {
    await open({ spillCap: 400e6 });
    for (let batch = 0; batch < 40; batch++) {
      const marked = (at: number) => connection(noon, `,"x":"${Math.random()}${'y'.repeat(500)}${at}"`);
      await sample.writer.store({
        ...{
          account: 'A',
          dataset: connections,
          idempotencyKey: undefined,
          isWellTyped: false,
          undeclaredMembers: [],
        },
        records: Array.from({ length: 1_000 }, (_, at) => marked(at)),
      });
    }
    await sample.spill.during(() => query(50_000, () => undefined));
    expect(sample.engine.spilled).toBeGreaterThan(0);
    await sample.maintenance.idle();
    expect(spilledFiles()).toEqual([]);
    const recordSearch = {
      dataset: connections,
      account: 'A',
      filters: [],
      upTo: sample.segments.lastSequence,
    };
    expect(await sample.count({ ...recordSearch, range: { start: noon, end: noon + hour } })).toBe(40_000);
  });

  test('of a killed process are removed at startup', async () => {
    const file = join(sample.directory, 'spill', 'duckdb_temp_storage_DEFAULT-0.tmp');
    writeFileSync(file, Buffer.alloc(1_000));
    expect(sample.engine.spilled).toBe(1_000);
    await sample.reopen();
    expect(spilledFiles()).toEqual([]);
  });

  test('never use the disk reserve, and may grow again when there is space', async () => {
    let space: Space = { size: 100e9, free: 256e6 + 2e6 };
    await open({ space: async () => space });
    await sample.spill.adjust();
    await expect(materialize(50_000)).rejects.toThrow('max_temp_directory_size');
    space = { size: 100e9, free: 1e9 };
    clock.advance(1_000);
    await sample.spill.adjust();
    await materialize(50_000);
    await expect(materialize(140_000)).rejects.toThrow('max_temp_directory_size');
    // A rewrite may spill more, up to its own limit.
    await expect(sample.spill.forRewrite(10e6, () => materialize(140_000))).rejects.toThrow(
      'max_temp_directory_size',
    );
    await sample.spill.forRewrite(200e6, () => materialize(140_000));
    await expect(materialize(140_000)).rejects.toThrow('max_temp_directory_size');
  });

  test('do not use space that batches have reserved meanwhile', async () => {
    await open({ space: async () => ({ size: 100e9, free: 256e6 + 75e6 }) });
    await sample.spill.adjust();
    await materialize(50_000);
    await sample.budget.spend(70e6);
    await expect(materialize(50_000)).rejects.toThrow('max_temp_directory_size');
  });

  test('are zero bytes if the directory does not exist', () => {
    rmSync(join(sample.directory, 'spill'), { recursive: true });
    expect(sample.engine.spilled).toBe(0);
  });

  test('are a part of the disk cap: they cause no day to be dropped, and days do not use it', async () => {
    await open({ cap: 5_000_000, spillReserve: 4_000_000 });
    const large = () => connection(clock.now(), `,"x":"${'y'.repeat(300_000)}"`);
    const store = () =>
      sample.writer.store({
        ...{
          account: 'A',
          dataset: connections,
          records: [large()],
          isWellTyped: false,
          undeclaredMembers: [],
        },
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
