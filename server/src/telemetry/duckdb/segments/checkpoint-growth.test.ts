import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { connections } from '../../datasets/Connections.ts';
import { connection, noon, SampleStore } from '../store.sample.ts';
import type { Segment } from './segment.ts';

let sample: SampleStore;
beforeEach(async () => {
  sample = await SampleStore.open(new ManualClock(noon), connections);
});
afterEach(() => sample.close());

const store = (records: number, bytes: number) =>
  sample.writer.store({
    ...{
      account: 'A',
      dataset: connections,
      isWellTyped: false,
      undeclaredMembers: [],
      idempotencyKey: undefined,
    },
    records: Array.from({ length: records }, (_, n) =>
      connection(noon + n, `,"x":"${randomBytes(bytes).toString('base64')}"`),
    ),
  });

test('a checkpoint grows a file at most by the predicted size, including merged row groups', async () => {
  const shapes = [
    [100, 200],
    [4_000, 300],
    [100, 20_000],
  ] as const;
  let grown = 0;
  for (const [records, bytes] of shapes) {
    for (let round = 0; round < 3; round++) {
      await store(records, bytes);
      const [segment] = sample.segments.all() as [Segment];
      const before = sample.segments.sizeOf(segment);
      const bound = before.log + (await sample.segments.checkpointGrowth(segment));
      await sample.segments.checkpoint(segment);
      const growth = sample.segments.sizeOf(segment).file - before.file;
      expect(growth).toBeLessThanOrEqual(Math.max(0, bound));
      if (growth > before.log) grown++;
    }
  }
  // Growth beyond the log is the reason for the prediction.
  expect(grown).toBeGreaterThan(0);
});
