import { expect, test } from 'vitest';
import { ThrottledResult } from './throttled-result.ts';

test('a result is computed once for concurrent callers, and at a limited rate for later ones', async () => {
  let now = 0;
  let computed = 0;
  const result = new ThrottledResult(
    async () => ++computed,
    () => now,
  );
  expect(await Promise.all([result.get(), result.get(), result.get()])).toEqual([1, 1, 1]);
  for (let count = 0; count < 2_000; count++) await result.get();
  expect(computed).toBe(10);
  now += 500;
  expect(await result.get()).toBe(11);
  expect(await result.get()).toBe(11);
  now += 3_600_000;
  for (let count = 0; count < 50; count++) await result.get();
  expect(computed).toBe(21);
});

test('a failure is not cached longer than a result', async () => {
  let now = 0;
  let isWorking = false;
  const result = new ThrottledResult(
    async () => {
      if (!isWorking) throw new Error('not yet');
      return 'works';
    },
    () => now,
  );
  for (let count = 0; count < 20; count++) await expect(result.get()).rejects.toThrow('not yet');
  isWorking = true;
  now += 500;
  expect(await result.get()).toBe('works');
});
