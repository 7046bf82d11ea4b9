import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../../testing/clock.ts';
import { Collection } from './collection.ts';
import { MemorySink } from './memory-sink.sample.ts';
import type { Reading } from './reading.ts';
import type { ScopeResult } from './snapshot-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const kind = 'LW_CFG_AZURE_USER';
const minute = 60_000;

/** Starts a reading that finds a resource after each of the intervals, and then nothing until it is given up. */
function start(intervals: readonly number[], timeout?: number): ScopeResult[] {
  const reading: Reading = {
    ...{ id: 'slow', service: 'Slow', region: 'global', kinds: [kind], ...(timeout && { timeout }) },
    async read(output, signal) {
      for (const [at, interval] of intervals.entries()) {
        await new Promise((resolve) => setTimeout(resolve, interval));
        signal.throwIfAborted();
        await output.add(kind, { key: `user-${at}`, facts: {}, config: '{}', tags: undefined });
      }
      if (intervals.at(-1) !== 0)
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
    },
  };
  const results: ScopeResult[] = [];
  const deps = { cloudAccount: 'a', sink: new MemorySink(), clock: new ManualClock() };
  void new Collection(deps).run([reading], new AbortController().signal, (_, ended) => {
    results.push(...ended);
  });
  return results;
}

test('a reading that goes on may take hours', async () => {
  const results = start([...Array<number>(8).fill(29 * minute), 0]);
  await vi.advanceTimersByTimeAsync(8 * 29 * minute + 1);
  expect(results).toMatchObject([{ status: 'collected', resources: 9 }]);
});

test('a reading that stalls is given up', async () => {
  const results = start([minute]);
  await vi.advanceTimersByTimeAsync(30 * minute);
  expect(results).toEqual([]);
  await vi.advanceTimersByTimeAsync(minute);
  expect(results).toMatchObject([
    { status: 'failed', reason: 'slow was given up: nothing was read for 30 minutes.', resources: 0 },
  ]);
});

test('a reading may have a time of its own', async () => {
  const results = start([1], 180 * minute);
  await vi.advanceTimersByTimeAsync(179 * minute);
  expect(results).toEqual([]);
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(results).toMatchObject([{ reason: 'slow was given up: nothing was read for 180 minutes.' }]);
});

test('a reading that never ends is given up', async () => {
  const results = start(Array<number>(800).fill(minute));
  await vi.advanceTimersByTimeAsync(12 * 60 * minute + 2 * minute);
  expect(results).toMatchObject([{ reason: 'slow was given up: it took longer than 12 hours.' }]);
});
