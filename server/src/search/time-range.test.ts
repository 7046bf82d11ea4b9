import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatInstant } from '../platform/instant.ts';
import { readTimeRange } from './time-range.ts';

const now = Date.parse('2024-05-10T12:00:00.000Z');
const second = 1_000;
const day = 24 * 60 * 60 * second;
const before = (milliseconds: number) => formatInstant(now - milliseconds);

describe('readTimeRange', () => {
  test.each([{}, { startTime: null, endTime: null }, { startTime: '', endTime: '' }])(
    '%j is the last 24 hours including the current millisecond',
    (times) => {
      expect(readTimeRange(times, now)).toEqual({ start: now - day, end: now + 1 });
    },
  );

  test('an end alone selects the 24 hours before it', () => {
    expect(readTimeRange({ endTime: '2024-05-01' }, now)).toEqual({
      start: Date.parse('2024-04-30'),
      end: Date.parse('2024-05-01'),
    });
  });

  test('a start alone selects everything until now', () => {
    expect(readTimeRange({ startTime: before(5 * day) }, now)).toEqual({
      start: now - 5 * day,
      end: now + 1,
    });
  });

  test('the range may be in the future', () => {
    const times = { startTime: before(-day), endTime: before(-2 * day) };
    expect(readTimeRange(times, now)).toEqual({ start: now + day, end: now + 2 * day });
  });

  test('exactly 7 days are accepted, a millisecond more is not', () => {
    expect(readTimeRange({ startTime: before(7 * day), endTime: before(0) }, now)).toEqual({
      start: now - 7 * day,
      end: now,
    });
    expect(() => readTimeRange({ startTime: before(7 * day + 1), endTime: before(0) }, now)).toThrow(
      expect.objectContaining({
        code: 'INVALID_TIME_RANGE',
        message: expect.stringContaining('at most 7 days before endTime'),
      }),
    );
  });

  test.each([0, 1, 30 * second, 60 * second])(
    '7 days ago without an end is accepted if it arrives %i ms later',
    (late) => {
      const start = now - 7 * day - late;
      expect(readTimeRange({ startTime: formatInstant(start) }, now)).toEqual({
        start,
        end: start + 7 * day,
      });
    },
  );

  test('7 days and more than a minute ago requires an end', () => {
    expect(() => readTimeRange({ startTime: before(7 * day + 60 * second + 1) }, now)).toThrow(
      expect.objectContaining({ code: 'INVALID_TIME_RANGE' }),
    );
  });

  test.each([
    { startTime: before(0), endTime: before(0) },
    { startTime: before(0), endTime: before(1) },
    { startTime: before(-1) },
  ])('%j is reversed', (times) => {
    expect(() => readTimeRange(times, now)).toThrow(
      expect.objectContaining({
        code: 'INVALID_TIME_RANGE',
        message: 'startTime must be before endTime, which defaults to now.',
      }),
    );
  });

  test.each([
    [{ startTime: 'yesterday' }, '', 'startTime'],
    [{ endTime: '2024-02-30' }, '', 'endTime'],
    [{ endTime: '2024-02-30' }, 'timeFilter.', 'timeFilter.endTime'],
  ])('%j is refused with the parameter name and the accepted formats', (times, prefix, name) => {
    expect(() => readTimeRange(times, now, prefix)).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(
          new RegExp(`^${name} '${Object.values(times)[0]}' is not a date: .*yyyy-MM-dd`),
        ),
      }),
    );
  });

  test('every accepted range is the requested one, not empty and at most 7 days', () => {
    const instant = fc.option(fc.integer({ min: now - 9 * day, max: now + 2 * day }));
    fc.assert(
      fc.property(instant, instant, (start, end) => {
        const format = (value: number | null) => (value === null ? null : formatInstant(value));
        const range = attempt(() => readTimeRange({ startTime: format(start), endTime: format(end) }, now));
        if (!range) return;
        expect(range.start).toBe(start ?? (end ?? now) - day);
        if (end !== null) expect(range.end).toBe(end);
        expect(range.end - range.start).toBeGreaterThan(0);
        expect(range.end - range.start).toBeLessThanOrEqual(7 * day);
      }),
    );
  });
});

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
