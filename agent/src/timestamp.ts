export const hourLength = 3_600_000;

/** All times are in milliseconds since the epoch. */
export function startOfHour(time: number): number {
  return time - (time % hourLength);
}

/** As in records. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}

/** The year 10000, which RFC 3339 can not express. */
const maxTime = 253_402_300_800_000;

/** Whoever owns a file sets its times, also to one that is not valid in records: then undefined. */
export function fileTimestamp(time: number): string | undefined {
  return time >= 0 && time < maxTime ? timestamp(time) : undefined;
}
