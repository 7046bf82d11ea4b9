export const millisecondsPerHour = 3_600_000;
const hoursPerDay = 24;

/** An hour of simulated time. Its events depend only on the company. */
export interface Hour {
  /** Epoch milliseconds. */
  readonly start: number;
  /** The window of records about the hour. */
  readonly window: { readonly startTime: string; readonly endTime: string };
  /** Activity of staff and customers, from 0 to 1. */
  readonly load: number;
}

export function hourAt(start: number): Hour {
  const window = { startTime: isoTimestamp(start), endTime: isoTimestamp(start + millisecondsPerHour) };
  return { start, window, load: loadAt(new Date(start)) };
}

/** The hours of the days before the end, oldest first. */
export function* hoursBefore(end: number, days: number): Generator<Hour> {
  for (let back = days * hoursPerDay; back > 0; back--)
    yield hourAt(startOfHour(end) - back * millisecondsPerHour);
}

/** Groups consecutive hours by 24. */
export function* daysOf(hours: Iterable<Hour>): Generator<readonly Hour[]> {
  let day: Hour[] = [];
  for (const hour of hours) {
    day.push(hour);
    if (day.length < hoursPerDay) continue;
    yield day;
    day = [];
  }
  if (day.length > 0) yield day;
}

export function startOfHour(instant: number): number {
  return Math.floor(instant / millisecondsPerHour) * millisecondsPerHour;
}

export function isoTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

/** In the format of clouds, without fractions of a second. */
export function isoSeconds(instant: number): string {
  return `${isoTimestamp(instant).slice(0, 19)}Z`;
}

/** Peaks in the afternoon, low at night and at weekends. */
function loadAt(date: Date): number {
  const wave = 0.5 - 0.5 * Math.cos(((date.getUTCHours() - 2) / hoursPerDay) * 2 * Math.PI);
  const isWeekend = date.getUTCDay() % 6 === 0;
  return 0.15 + 0.85 * wave * (isWeekend ? 0.4 : 1);
}
