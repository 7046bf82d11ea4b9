const hour = 3_600_000;
const day = 24 * hour;
/** The epoch was a Thursday. */
const firstMonday = 4 * day;

export const frequencies = ['daily', 'weekly', 'biweekly', 'monthly'] as const;
export type Frequency = (typeof frequencies)[number];

/** A span of whole days that a report covers, and when it is sent. Days are those of UTC. */
export interface Period {
  readonly start: number;
  readonly end: number;
  readonly dueAt: number;
}

/** The last period whose report is due. Weeks begin on Monday; reports are sent at this hour of the day after. */
export function lastPeriod(frequency: Frequency, now: number, sendingHour: number): Period {
  const latestEnd = now - sendingHour * hour;
  const [start, end] = spanBefore(frequency, latestEnd);
  return { start, end, dueAt: end + sendingHour * hour };
}

/** The last span that ends at or before the time. */
function spanBefore(frequency: Frequency, time: number): [start: number, end: number] {
  if (frequency === 'monthly') {
    const date = new Date(time);
    const monthStart = (before: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - before);
    return [monthStart(1), monthStart(0)];
  }
  const length = { daily: day, weekly: 7 * day, biweekly: 14 * day }[frequency];
  const offset = frequency === 'daily' ? 0 : firstMonday;
  const end = time - ((((time - offset) % length) + length) % length);
  return [end - length, end];
}
