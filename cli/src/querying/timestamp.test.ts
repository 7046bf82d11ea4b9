import { expect, test } from 'vitest';
import { readTimestamp } from './timestamp.ts';

const now = Date.parse('2026-03-08T12:00:00.000Z');

test.each([
  ['now', '2026-03-08T12:00:00.000Z'],
  ['-90s', '2026-03-08T11:58:30.000Z'],
  ['-30m', '2026-03-08T11:30:00.000Z'],
  ['-24h', '2026-03-07T12:00:00.000Z'],
  ['-7d', '2026-03-01T12:00:00.000Z'],
  ['-2w', '2026-02-22T12:00:00.000Z'],
  ['2026-03-01T10:00:00+01:00', '2026-03-01T09:00:00.000Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
])('%s is %s', (value, instant) => {
  expect(readTimestamp('start', value, now)).toBe(instant);
});

test.each(['', '7d', '-7y', '-d', 'tomorrow', '-1h30m'])('%j is rejected', (value) => {
  expect(() => readTimestamp('end', value, now)).toThrow('--end must be a time');
});
