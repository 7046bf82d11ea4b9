import { describe, expect, test } from 'vitest';
import { exactTime, relativeTime } from './format.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('relative times', () => {
  test.each([
    [0, 'just now'],
    [-59_000, 'just now'],
    [-60_000, '1 min. ago'],
    [-3_599_000, '59 min. ago'],
    [-2 * 3_600_000, '2 hr. ago'],
    [-36 * 3_600_000, '1 day ago'],
    [-30 * 86_400_000, '30 days ago'],
    [3_600_000, 'in 1 hr.'],
  ])('%d milliseconds from now is "%s"', (difference, text) => {
    expect(relativeTime(now + difference, now)).toBe(text);
  });
});

test('exact times name their zone', () => {
  expect(exactTime(now, 'utc')).toBe('Sun, 1 Mar 2026, 12:00:00 UTC');
});
