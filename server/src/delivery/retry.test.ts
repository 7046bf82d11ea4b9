import { describe, expect, test } from 'vitest';
import { delayAfter, nextAttempt } from './retry.ts';

const hour = 3_600_000;

describe('a failed message', () => {
  test('is retried after 1, 4 and 15 seconds, then with exponential backoff up to an hour', () => {
    const seconds = Array.from({ length: 13 }, (_, at) => delayAfter(at + 1, () => 0.5) / 1_000);
    expect(seconds).toEqual([1, 4, 15, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
  });

  test('is retried with jitter', () => {
    expect([delayAfter(1, () => 0), delayAfter(1, () => 1)]).toEqual([900, 1_100]);
  });

  test('waits as long as Retry-After demands', () => {
    expect(nextAttempt({ created_at: 0, attempts: 1 }, 10, 120_000)).toBe(120_010);
    expect(nextAttempt({ created_at: 0, attempts: 8 }, 10, 1_000)).toBeGreaterThan(400_000);
  });

  test('is retried a last time at the end of its lifetime', () => {
    expect(nextAttempt({ created_at: 0, attempts: 30 }, 24 * hour - 1)).toBe(24 * hour);
    expect(nextAttempt({ created_at: 0, attempts: 1 }, hour, 99 * hour)).toBe(24 * hour);
    expect(nextAttempt({ created_at: 0, attempts: 31 }, 24 * hour)).toBeUndefined();
  });
});
