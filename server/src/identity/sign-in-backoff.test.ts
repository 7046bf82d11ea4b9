import { expect, test } from 'vitest';
import { ManualClock } from '../testing/clock.ts';
import { SignInBackoff } from './sign-in-backoff.ts';

test('the delay doubles up to five minutes, is reset after an hour without failures, and memory is bounded', () => {
  const clock = new ManualClock();
  const backoff = new SignInBackoff(clock, { capacity: 100 });
  const delays: number[] = [];
  for (let count = 0; count < 5; count++) expect(backoff.fail('key', 'a')).toBe(0);
  for (let count = 0; count < 12; count++) {
    expect(backoff.fail('key', 'a')).toBe(0);
    const wait = backoff.fail('key', 'a');
    delays.push(wait);
    expect(backoff.wait('key', 'a')).toBe(wait);
    clock.advance(wait * 1_000);
  }
  expect(delays.slice(0, 4)).toEqual([1, 2, 4, 8]);
  expect(delays.at(-1)).toBe(300);
  clock.advance(3_600_000);
  for (let count = 0; count < 6; count++) expect(backoff.fail('key', 'a')).toBe(0);
  expect(backoff.fail('key', 'a')).toBe(1);
  expect(backoff.wait('key', 'b')).toBe(0);
  expect(backoff.fail('key', 'b')).toBe(0);
  backoff.succeed('key', 'a');
  expect(backoff.fail('key', 'a')).toBe(0);
  for (let count = 0; count < 1_000; count++) backoff.fail(`key ${count}`, 'a');
  expect(backoff.size).toBe(100);
});
