import fc from 'fast-check';
import { expect, test } from 'vitest';
import { delayAfter, delayAskedFor } from './backoff.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('delays double up to five minutes, and are shorter by at most a half', () => {
  expect([1, 2, 3, 9, 10, 2_000].map((failures) => delayAfter(failures, 0))).toEqual([
    ...[1_000, 2_000, 4_000, 256_000, 300_000, 300_000],
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), random, (failures, chance) => {
      const delay = delayAfter(failures, chance);
      expect(delay).toBeLessThanOrEqual(delayAfter(failures, 0));
      expect(delay).toBeGreaterThanOrEqual(delayAfter(failures, 0) / 2);
    }),
  );
});

test('the server is asked neither earlier than it wants nor after more than a quarter of an hour', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(delayAskedFor('7', now, 0)).toBe(7_000);
  expect(delayAskedFor('Thu, 01 Jan 2026 00:01:00 GMT', now, 0)).toBe(60_000);
  expect(delayAskedFor('Thu, 01 Jan 2025 00:01:00 GMT', now, 0)).toBe(0);
  expect(delayAskedFor('99999999', now, 0)).toBe(900_000);
  for (const nothing of [undefined, '', 'soon']) expect(delayAskedFor(nothing, now, 0)).toBeUndefined();
  fc.assert(
    fc.property(fc.nat(800), random, (seconds, chance) => {
      expect(delayAskedFor(`${seconds}`, now, chance)).toBeGreaterThanOrEqual(seconds * 1_000);
    }),
  );
});
