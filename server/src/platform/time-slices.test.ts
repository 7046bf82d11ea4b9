import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TimeSlices } from './time-slices.ts';

test('one slice runs in each iteration of the event loop, accounts in turn', async () => {
  const slices = new TimeSlices();
  const ran: string[] = [];
  const task = async (account: string, count: number) => {
    for (let slice = 0; slice < count; slice++) {
      await slices.next(account);
      ran.push(account);
    }
  };
  const all = Promise.all([task('greedy', 2), task('greedy', 2), task('greedy', 2), task('modest', 2)]);
  const perIteration: number[] = [];
  while (ran.length < 8) {
    const before = ran.length;
    await setImmediate();
    perIteration.push(ran.length - before);
  }
  await all;
  expect(Math.max(...perIteration)).toBe(1);
  expect(ran.slice(0, 4)).toEqual(['greedy', 'modest', 'greedy', 'modest']);
});
