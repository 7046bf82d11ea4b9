import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TimeSlices } from './time-slices.ts';

test('one slice runs in each event-loop iteration, round-robin by account', async () => {
  const slices = new TimeSlices();
  const slicesRun: string[] = [];
  const task = async (account: string, count: number) => {
    for (let slice = 0; slice < count; slice++) {
      await slices.next(account);
      slicesRun.push(account);
    }
  };
  const all = Promise.all([task('busy', 2), task('busy', 2), task('busy', 2), task('idle', 2)]);
  const perIteration: number[] = [];
  while (slicesRun.length < 8) {
    const before = slicesRun.length;
    await setImmediate();
    perIteration.push(slicesRun.length - before);
  }
  await all;
  expect(Math.max(...perIteration)).toBe(1);
  expect(slicesRun.slice(0, 4)).toEqual(['busy', 'idle', 'busy', 'idle']);
});
