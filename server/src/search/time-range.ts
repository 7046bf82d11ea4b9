import { Type } from 'typebox';
import { refuseField } from '../platform/checks.ts';
import { instantFormats, parseInstant } from '../platform/instant.ts';
import { quoted } from '../platform/quoted.ts';

const day = 24 * 60 * 60 * 1000;
const maxRange = 7 * day;
/** A client that subtracts 7 days from its clock and omits endTime sends the request slightly later. */
const grace = 60 * 1000;

/** Timestamps in milliseconds; the end is exclusive. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

const startDescription = `Start of the range, inclusive; default: 24 hours before the end. Format: ${instantFormats}.`;
const endDescription = `End of the range, exclusive; default: now. At most 7 days after the start. Format: ${instantFormats}.`;

/** The time range inside a search request. */
export const TimeFilter = Type.Object({
  startTime: Type.Optional(
    Type.Union([Type.String({ maxLength: 100 }), Type.Null()], { description: startDescription }),
  ),
  endTime: Type.Optional(
    Type.Union([Type.String({ maxLength: 100 }), Type.Null()], { description: endDescription }),
  ),
});

/** The time range as query parameters. */
export const TimeRangeQuery = Type.Object({
  startTime: Type.Optional(Type.String({ maxLength: 100, description: startDescription })),
  endTime: Type.Optional(Type.String({ maxLength: 100, description: endDescription })),
});

interface Times {
  readonly startTime?: string | null | undefined;
  readonly endTime?: string | null | undefined;
}

/** `prefix` precedes the parameter names in messages: empty for query parameters, `timeFilter.` in a search. */
export function readTimeRange(times: Times, now: number, prefix = ''): TimeRange {
  const [startName, endName] = [`${prefix}startTime`, `${prefix}endTime`];
  const requestedEnd = readTimestamp(times.endTime, endName);
  const start = readTimestamp(times.startTime, startName) ?? (requestedEnd ?? now) - day;
  const end = requestedEnd ?? defaultEnd(start, now);
  if (end <= start) {
    throw refuseField('INVALID_TIME_RANGE', startName, `must be before ${endName}, which defaults to now.`);
  }
  if (end - start > maxRange) {
    throw refuseField(
      'INVALID_TIME_RANGE',
      startName,
      `must be at most 7 days before ${endName}, which defaults to now: search in several shorter ranges.`,
    );
  }
  return { start, end };
}

/** Now, including the current millisecond. */
function defaultEnd(start: number, now: number): number {
  return now - start > maxRange + grace ? now + 1 : Math.min(now + 1, start + maxRange);
}

function readTimestamp(value: string | null | undefined, name: string): number | undefined {
  if (!value) return undefined;
  const instant = parseInstant(value);
  if (instant !== undefined) return instant;
  throw refuseField('INVALID_INPUT', name, `${quoted(value)} is not a date: write it as ${instantFormats}.`);
}
