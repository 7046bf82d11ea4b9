import { expect, test } from 'vitest';
import { ThrottledResult } from './throttled-result.ts';

test('an answer is computed once for callers that come together, and only so often for those that follow', async () => {
  let now = 0;
  let computed = 0;
  const answer = new ThrottledResult(
    async () => ++computed,
    () => now,
  );
  expect(await Promise.all([answer.get(), answer.get(), answer.get()])).toEqual([1, 1, 1]);
  for (let count = 0; count < 2_000; count++) await answer.get();
  expect(computed).toBe(10);
  now += 500;
  expect(await answer.get()).toBe(11);
  expect(await answer.get()).toBe(11);
  now += 3_600_000;
  for (let count = 0; count < 50; count++) await answer.get();
  expect(computed).toBe(21);
});

test('a failure is not kept longer than an answer', async () => {
  let now = 0;
  let works = false;
  const answer = new ThrottledResult(
    async () => {
      if (!works) throw new Error('not yet');
      return 'works';
    },
    () => now,
  );
  for (let count = 0; count < 20; count++) await expect(answer.get()).rejects.toThrow('not yet');
  works = true;
  now += 500;
  expect(await answer.get()).toBe('works');
});
