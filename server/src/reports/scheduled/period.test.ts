import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frequencies, lastPeriod } from './period.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const shown = ({ start, end, dueAt }: ReturnType<typeof lastPeriod>) =>
  [start, end, dueAt].map((time) => new Date(time).toISOString().slice(0, 13));

describe('the last period whose report is due', () => {
  test.each([
    ['daily', '2026-11-17T05:59', ['2026-11-15T00', '2026-11-16T00', '2026-11-16T06']],
    ['daily', '2026-11-17T06:00', ['2026-11-16T00', '2026-11-17T00', '2026-11-17T06']],
    ['weekly', '2026-11-16T05:00', ['2026-11-02T00', '2026-11-09T00', '2026-11-09T06']],
    ['weekly', '2026-11-16T06:00', ['2026-11-09T00', '2026-11-16T00', '2026-11-16T06']],
    ['monthly', '2026-03-01T05:00', ['2026-01-01T00', '2026-02-01T00', '2026-02-01T06']],
    ['monthly', '2026-03-01T06:00', ['2026-02-01T00', '2026-03-01T00', '2026-03-01T06']],
  ] as const)('%s at %s', (frequency, now, expected) => {
    expect(shown(lastPeriod(frequency, at(now), 6))).toEqual(expected);
  });

  test('is due, is the same until the next one, and the next one begins where it ends', () => {
    const times = fc.integer({ min: at('2020-01-01T00:00'), max: at('2040-01-01T00:00') });
    fc.assert(
      fc.property(times, fc.constantFrom(...frequencies), fc.nat({ max: 23 }), (now, frequency, hour) => {
        const period = lastPeriod(frequency, now, hour);
        expect(period.dueAt).toBeLessThanOrEqual(now);
        expect(period.start).toBeLessThan(period.end);
        expect(lastPeriod(frequency, period.dueAt, hour)).toEqual(period);
        const before = lastPeriod(frequency, period.dueAt - 1, hour);
        expect(before.end).toBe(period.start);
      }),
    );
  });
});
