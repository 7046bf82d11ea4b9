export const hourLength = 3_600_000;
const dayHours = 24;

/** An hour of simulated time. What happens in it depends on the company and on nothing else. */
export interface Hour {
  /** Epoch milliseconds. */
  readonly start: number;
  /** As windowed records carry it. */
  readonly window: { readonly startTime: string; readonly endTime: string };
  /** How busy people and customers are, from 0 to 1. */
  readonly load: number;
}

export function hourAt(start: number): Hour {
  const window = { startTime: timestampText(start), endTime: timestampText(start + hourLength) };
  return { start, window, load: loadAt(new Date(start)) };
}

/** The hours of so many days before the end, oldest first. */
export function* hoursBefore(end: number, days: number): Generator<Hour> {
  for (let back = days * dayHours; back > 0; back--) yield hourAt(startOfHour(end) - back * hourLength);
}

/** Consecutive hours, as many as a day has at a time. */
export function* daysOf(hours: Iterable<Hour>): Generator<readonly Hour[]> {
  let day: Hour[] = [];
  for (const hour of hours) {
    day.push(hour);
    if (day.length < dayHours) continue;
    yield day;
    day = [];
  }
  if (day.length > 0) yield day;
}

export function startOfHour(instant: number): number {
  return Math.floor(instant / hourLength) * hourLength;
}

export function timestampText(instant: number): string {
  return new Date(instant).toISOString();
}

/** As clouds write it: without a fraction. */
export function secondText(instant: number): string {
  return `${timestampText(instant).slice(0, 19)}Z`;
}

/** Most in the afternoon, little at night and at weekends. */
function loadAt(date: Date): number {
  const wave = 0.5 - 0.5 * Math.cos(((date.getUTCHours() - 2) / dayHours) * 2 * Math.PI);
  const isWeekend = date.getUTCDay() % 6 === 0;
  return 0.15 + 0.85 * wave * (isWeekend ? 0.4 : 1);
}
