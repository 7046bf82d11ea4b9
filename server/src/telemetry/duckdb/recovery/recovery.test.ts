import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { canLimitFiles, limitFiles } from '../../../testing/file-size-limit.ts';
import { connections } from '../../datasets/Connections.ts';
import { connection, hour, noon, SampleStore } from '../store.sample.ts';

let clock: ManualClock;
let sample: SampleStore;
beforeEach(async () => {
  clock = new ManualClock(noon);
  sample = await SampleStore.open(clock, connections);
});
afterEach(() => {
  if (canLimitFiles) limitFiles('unlimited');
  sample.close();
});

const day = 24 * hour;
const sizeOf = (name: string) => statSync(join(sample.days, name)).size;
const batch = (records = 200) =>
  Array.from({ length: records }, (_, n) => connection(noon + n, `,"x":"${Math.random()}"`));
const store = (records: readonly string[], idempotencyKey?: string) =>
  sample.writer.store({
    ...{ account: 'A', dataset: connections, records, isWellTyped: false, undeclaredMembers: [] },
    idempotencyKey,
  });
const count = () =>
  sample.count({
    ...{ dataset: connections, account: 'A', filters: [], upTo: sample.segments.lastSequence },
    range: { start: noon - 10 * day, end: noon + 10 * day },
  });
const refusal = {
  code: 'UNAVAILABLE',
  message: expect.stringContaining('The batch was not stored because the disk is full: File too large'),
};

describe.skipIf(!canLimitFiles)('a full disk', () => {
  test('fails only the current batch; searches still work, and so do batches when there is space', async () => {
    await store(batch(), 'first');
    limitFiles(sizeOf('2026-03-01.duckdb.wal') + 4_096);
    const outcomes = await Promise.allSettled([store(batch(), 'a'), store(batch(), 'b'), store(batch())]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: refusal });
    expect([await count(), sample.segments.lastSequence]).toEqual([200, 1]);
    limitFiles('unlimited');
    expect(await store(batch(), 'a')).toEqual({ records: 200, isRepeat: false });
    expect(await store(batch(), 'first')).toEqual({ records: 200, isRepeat: true });
    expect(await count()).toBe(400);
    await sample.reopen();
    expect(await count()).toBe(400);
    expect(await store(batch(), 'a')).toEqual({ records: 200, isRepeat: true });
  });

  test('during a checkpoint loses no stored data', async () => {
    await store(batch());
    clock.advance(day);
    await store(batch(), 'k');
    const checkpoint = () => sample.engine.use((db) => db.run('checkpoint "2026-03-02"'));
    limitFiles(100_000);
    await expect(checkpoint()).rejects.toThrow('has been invalidated');
    expect(await Promise.all([count(), count(), count()])).toEqual([400, 400, 400]);

    await expect(checkpoint()).rejects.toThrow('has been invalidated');
    await expect(store(batch())).rejects.toMatchObject(refusal);
    expect(await count()).toBe(400);
    limitFiles('unlimited');
    expect(await store(batch(), 'k')).toEqual({ records: 200, isRepeat: true });
    expect(await store(batch())).toEqual({ records: 200, isRepeat: false });
    await checkpoint();
    expect(await count()).toBe(600);
  });

  test('while the file of a new day is created does not prevent creating it later', async () => {
    await store(batch());
    clock.advance(day);
    limitFiles(6_000);
    await expect(store(batch())).rejects.toMatchObject(refusal);
    expect(sample.files()).toContain('2026-03-02.duckdb.new');
    expect(sample.files()).not.toContain('2026-03-02.duckdb');
    expect(await count()).toBe(200);
    limitFiles('unlimited');
    await store(batch());
    expect(sample.files()).not.toContain('2026-03-02.duckdb.new');
    expect(await count()).toBe(400);
  });
});

test('an invalidated engine is reopened with every day', async () => {
  await store(batch(), 'k');
  clock.advance(day);
  await store(batch());
  sample.engine.close();
  await sample.recovery.recover();
  expect(await count()).toBe(400);
  expect(await store(batch(), 'k')).toEqual({ records: 200, isRepeat: true });
  await store(batch());
  expect([await count(), sample.segments.lastSequence]).toEqual([600, 3]);
});

test('a query that has written rows is not retried', async () => {
  const chunks: number[] = [];
  const put = (chunk: Uint8Array) => {
    if (chunks.push(chunk.length) === 2) throw new Error('FATAL Error: database has been invalidated');
    return undefined;
  };
  const rows = { sql: `select repeat('x', 1000) as "row" from range(5000)`, parameters: [] };
  const running = sample.querying.run('A', () => rows, put, new AbortController().signal);
  await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(chunks.length).toBe(2);
});
