import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hour, SlidingWindow } from './sliding-window.ts';

/** Milliseconds between requests: bursts, gaps of about an hour, and everything between. */
const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: hour / 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: hour - 3, max: hour + 3 }) },
);
const instants = fc.array(gaps, { maxLength: 300 }).map((steps) => {
  let now = 1_700_000_000_000;
  return steps.map((step) => (now += step));
});

describe('a sliding window', () => {
  test('never exceeds the limit in a rolling hour, and rejects no request below it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), instants, (limit, times) => {
        const window = new SlidingWindow();
        const taken: number[] = [];
        for (const now of times) {
          const inLastHour = taken.filter((time) => time > now - hour).length;
          const { allowed } = window.take(limit, now);
          expect(allowed).toBe(inLastHour < limit);
          if (allowed) taken.push(now);
        }
        for (const start of taken) {
          expect(taken.filter((time) => time >= start && time < start + hour).length).toBeLessThanOrEqual(
            limit,
          );
        }
      }),
    );
  });

  test('returns the remaining tokens or, if there are none, the seconds until the next one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), instants, (limit, times) => {
        const window = new SlidingWindow();
        for (const now of times) {
          const { remaining, reset } = window.take(limit, now);
          expect(reset > 0).toBe(remaining === 0);
          expect(remaining).toBeLessThan(limit);
          if (reset > 0) {
            expect(reset).toBeLessThanOrEqual(hour / 1000);
            const history = structuredClone(times.filter((time) => time <= now));
            const replay = new SlidingWindow();
            for (const time of history) replay.take(limit, time);
            expect(replay.take(limit, now + reset * 1000).allowed).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  test('grants no extra tokens when the clock is set back', () => {
    const window = new SlidingWindow();
    for (let count = 0; count < 3; count++) window.take(3, 10 * hour);
    expect(window.take(3, 9 * hour).allowed).toBe(false);
    expect(window.take(3, 11 * hour).allowed).toBe(true);
  });

  test('discards expired tokens', () => {
    const window = new SlidingWindow();
    for (let now = 0; now < 5_000; now++) window.take(10_000, now * 1_000);
    expect(window.isIdle(4_999_000)).toBe(false);
    expect(window.isIdle(4_999_000 + hour)).toBe(true);
    expect(window.take(10_000, 4_999_000 + hour).remaining).toBe(9_999);
  });
});
