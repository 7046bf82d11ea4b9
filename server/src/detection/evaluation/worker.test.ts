import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { TestDetection } from '../../testing/detection.ts';
import { Evaluations } from './evaluations.ts';
import type { Evaluator } from './evaluator.ts';
import { ScheduleEntry } from './schedule-entry.ts';
import type { Task } from './task.ts';
import { Worker } from './worker.ts';

let place: TestDetection;
beforeEach(async () => {
  place = await TestDetection.start();
});
afterEach(() => place.stop());

test('policies that take too long together are left for smaller batches, and one alone fails', async () => {
  const { store, clock } = place;
  const evaluations = new Evaluations({ store, clock, place: 'here', leaseLength: 60_000 });
  const sizes: number[] = [];
  const worker = new Worker({
    ...{ clock, evaluations, timeout: 20, log: createLog('silent'), evaluator: {} as Evaluator },
    onAlert: () => {},
    // An evaluation that does not end before it is aborted.
    resourceEvaluator: {
      evaluate: (leased, signal) =>
        new Promise((_, reject) => {
          sizes.push(leased.length);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      report: () => Promise.reject(new Error('Nothing was evaluated.')),
    },
  });
  const ids = ['p-1', 'p-2', 'p-3', 'p-4'];
  await evaluations.add(ids.map((policyId) => ({ ownerId: place.account, policyId, followed: null })));
  const lease = async (count: number) => {
    const rows = (await evaluations.all()).slice(0, count);
    const leases = await evaluations.leaseAll(rows);
    return leases.map((one) => ({ entry: new ScheduleEntry({} as Task, one.row), lease: one }));
  };
  const stopping = new AbortController().signal;
  expect(await worker.evaluateResources(await lease(4), stopping)).toBe(4);
  expect(sizes).toEqual([4]);
  expect((await evaluations.all()).map((row) => [row.leased_until, row.failures])).toEqual(
    ids.map(() => [0, 0]),
  );
  clock.advance(1);
  await worker.evaluateResources(await lease(1), stopping);
  expect((await evaluations.all()).filter((row) => row.failures === 1)).toMatchObject([
    { problem: 'The evaluation took more than 0.02 seconds.' },
  ]);
});
