/**
 * The date formats of the specification (day, hour, seconds, milliseconds; UTC), and what clients actually send: up to
 * nine fraction digits and numeric offsets.
 */
const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2})(?::(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2}))?)?$/;

export const instantFormats = 'yyyy-MM-dd, yyyy-MM-ddTHH, yyyy-MM-ddTHH:mm:ssZ or yyyy-MM-ddTHH:mm:ss.SSSZ';

/** Milliseconds since 1970, or undefined if the format is not accepted. */
export function parseInstant(timestamp: string): number | undefined {
  const match = pattern.exec(timestamp);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year as number, (month as number) - 1, day as number);
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  date.setUTCHours(hour as number, minute as number, second as number, milliseconds);
  const sameDay = date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  const sameTime =
    date.getUTCHours() === hour && date.getUTCMinutes() === minute && date.getUTCSeconds() === second;
  const offset = parseOffset(match[8]);
  return sameDay && sameTime && offset !== undefined ? date.getTime() - offset : undefined;
}

const complete =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-8]):[0-5]\d)$/;

/**
 * Whether the string is a complete RFC 3339 timestamp, the only form stored, because clients read no other. It runs
 * twice for every ingested record, so it consults the calendar only when the day may not exist.
 */
export function isTimestamp(value: string): boolean {
  return complete.test(value) && (value.slice(8, 10) <= '28' || parseInstant(value) !== undefined);
}

export function formatInstant(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function parseOffset(offset: string | undefined): number | undefined {
  if (offset === undefined || offset === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 18 || minutes > 59) return undefined;
  return (offset[0] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
