import { Type } from 'typebox';
import { refuseField } from '../platform/checks.ts';
import { instantFormats, parseInstant } from '../platform/instant.ts';
import { quoted } from '../platform/quoted.ts';

const day = 24 * 60 * 60 * 1000;
const longest = 7 * day;
/** A client that subtracts 7 days from its clock and leaves endTime out arrives a moment later. */
const grace = 60 * 1000;

/** Moments in milliseconds; the end is not part of the range. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

const aboutStart = `Start of the range, included; 24 hours before the end when left out. Write it as ${instantFormats}.`;
const aboutEnd = `End of the range, not included; now when left out, at most 7 days after the start. Write it as ${instantFormats}.`;

/** The time range inside a search request. */
export const TimeFilter = Type.Object({
  startTime: Type.Optional(
    Type.Union([Type.String({ maxLength: 100 }), Type.Null()], { description: aboutStart }),
  ),
  endTime: Type.Optional(
    Type.Union([Type.String({ maxLength: 100 }), Type.Null()], { description: aboutEnd }),
  ),
});

/** The same as query parameters of a list. */
export const TimeRangeQuery = Type.Object({
  startTime: Type.Optional(Type.String({ maxLength: 100, description: aboutStart })),
  endTime: Type.Optional(Type.String({ maxLength: 100, description: aboutEnd })),
});

interface Times {
  readonly startTime?: string | null | undefined;
  readonly endTime?: string | null | undefined;
}

/** The prefix stands before the names in messages: empty for query parameters, `timeFilter.` in a search. */
export function readTimeRange(times: Times, now: number, prefix = ''): TimeRange {
  const [startName, endName] = [`${prefix}startTime`, `${prefix}endTime`];
  const givenEnd = readTimestamp(times.endTime, endName);
  const start = readTimestamp(times.startTime, startName) ?? (givenEnd ?? now) - day;
  const end = givenEnd ?? openEnd(start, now);
  if (end <= start) {
    throw refuseField('INVALID_TIME_RANGE', startName, `must be before ${endName}, which defaults to now.`);
  }
  if (end - start > longest) {
    throw refuseField(
      'INVALID_TIME_RANGE',
      startName,
      `must be at most 7 days before ${endName}, which defaults to now: search in several shorter ranges.`,
    );
  }
  return { start, end };
}

/** Until now, and what was recorded in this very millisecond counts. */
function openEnd(start: number, now: number): number {
  return now - start > longest + grace ? now + 1 : Math.min(now + 1, start + longest);
}

function readTimestamp(text: string | null | undefined, name: string): number | undefined {
  if (!text) return undefined;
  const instant = parseInstant(text);
  if (instant !== undefined) return instant;
  throw refuseField('INVALID_INPUT', name, `${quoted(text)} is not a date: write it as ${instantFormats}.`);
}
