import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { connections } from '../../datasets/Connections.ts';
import { Loader } from '../backup/loader.ts';
import { newStatementQueue } from '../engine/statements.ts';
import type { Segment } from '../segments/segment.ts';
import { connection, hour, noon, type SampleDisk, SampleStore } from '../store.sample.ts';

let clock: ManualClock;
let sample: SampleStore;
beforeEach(async () => {
  clock = new ManualClock(noon);
  sample = await SampleStore.open(clock, connections);
});
afterEach(() => sample.close());

const nextDay = () => clock.advance(24 * hour);
const store = (records: readonly string[]) =>
  sample.writer.store({
    ...{ account: 'A', dataset: connections, records, isWellTyped: false, undeclaredMembers: [] },
    idempotencyKey: undefined,
  });
async function open(disk: SampleDisk): Promise<void> {
  sample.disk = disk;
  await sample.reopen();
}

describe('the disk reserve', () => {
  test('is not used by a restore either', async () => {
    const space = { size: 100e9, free: 255_999_999 };
    await open({ space: async () => space });
    const loader = await Loader.open('large', {
      ...{
        directory: sample.directory,
        limits: { memory: '100MB', threads: 1 },
        statements: newStatementQueue(),
      },
      spend: (bytes) => sample.budget.spend(bytes),
    });
    await loader.add({
      records: { day: '2026-03-01', account: 'A', dataset: connections.path, seq: 1, records: 1 },
      text: Buffer.from(connection(noon)),
    });
    await expect(loader.ready()).rejects.toThrow('the disk is full');
    await loader.discard();
  });

  test('does not measure past days for every search', async () => {
    for (let round = 0; round < 3; round++, nextDay()) await store([connection(clock.now())]);
    await sample.budget.freeSpace();
    const measured = vi.spyOn(sample.segments, 'sizeOf');
    for (let search = 0; search < 5; search++) await sample.budget.freeSpace();
    expect(new Set(measured.mock.calls.map(([{ day }]) => day))).toEqual(new Set(['2026-03-03']));
    measured.mockClear();
    clock.advance(5_000);
    await sample.budget.freeSpace();
    expect(measured).toHaveBeenCalledTimes(3);
  });

  test('includes the bytes that a rewrite has not written yet', async () => {
    await store([connection(noon, `,"x":"${randomBytes(450_000).toString('base64')}"`)]);
    nextDay();
    await store([connection(clock.now())]);
    let free = 300e6;
    await open({ space: async () => ({ size: 1e12, free }) });
    const before = await sample.budget.freeSpace();
    expect(await sample.budget.reserveForRewrite(sample.segments.all()[0] as Segment)).toBe(true);
    const { reserved } = await sample.budget.freeSpace();
    expect(reserved - before.reserved).toBeGreaterThan(600_000);
    free = reserved - 1;
    clock.advance(1_000);
    await expect(sample.budget.spend(1)).rejects.toThrow('the disk is full');
    sample.budget.releaseReservation();
    await sample.budget.spend(1);
  });
});
