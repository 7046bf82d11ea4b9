import type { Numeric } from './numbers.ts';

/** Epoch milliseconds. Functions support the years 1 to 9999. */
export const inRange = (timestamp: number): number | null =>
  timestamp >= -62135596800000 && timestamp <= 253402300799999 ? timestamp : null;

export function formatTimestamp(timestamp: number): string | null {
  return inRange(timestamp) === null ? null : new Date(timestamp).toISOString();
}

export function timestampOfSeconds(seconds: Numeric): number | null {
  if (typeof seconds === 'bigint') return inRange(Number(seconds * 1000n));
  return inRange(Math.floor(seconds * 1000 + 0.5));
}

export function timestampOfString(string: string): number | null {
  if (/^\d{13}$/.test(string)) return inRange(Number(string));
  if (/^\d{1,10}$/.test(string)) return inRange(Number(string) * 1000);
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?)?$/.exec(
      string,
    );
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour, minute, second] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [fraction = '', sign, zoneHour, zoneMinute] = match.slice(7);
  const start = dayOf(year, month, day);
  if (start === null) return null;
  const time = ((hour ?? 0) * 60 + (minute ?? 0)) * 60_000 + (second ?? 0) * 1000;
  const zone = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000 * (sign === '-' ? -1 : 1);
  return inRange(start + time + Number(fraction.padEnd(3, '0').slice(0, 3)) - zone);
}

/** Null for an invalid date. */
function dayOf(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

const milliseconds = {
  millis: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
} as const;
type Unit = keyof typeof milliseconds | 'months' | 'years';

const isFixedLength = (unit: Unit): unit is keyof typeof milliseconds => Object.hasOwn(milliseconds, unit);

export function addUnits(count: bigint, unit: Unit, timestamp: number): number | null {
  if (isFixedLength(unit)) return inRange(Number(BigInt(timestamp) + count * BigInt(milliseconds[unit])));
  if (inRange(timestamp) === null) return null;
  const months = count * (unit === 'years' ? 12n : 1n);
  if (months < -240_000n || months > 240_000n) return null;
  const date = new Date(timestamp);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + Number(months);
  const [year, rest] = [Math.floor(month / 12), ((month % 12) + 12) % 12];
  const last = new Date(0);
  last.setUTCFullYear(year, rest + 1, 0);
  date.setUTCFullYear(year, rest, Math.min(date.getUTCDate(), last.getUTCDate()));
  return inRange(date.getTime());
}

/** Number of unit boundaries boundariesBetween two timestamps. */
export function boundariesBetween(unit: Unit, from: number, to: number): bigint | null {
  if (inRange(from) === null || inRange(to) === null) return null;
  const unitNumber = (timestamp: number) => {
    if (isFixedLength(unit)) return Math.floor(timestamp / milliseconds[unit]);
    const date = new Date(timestamp);
    return unit === 'years' ? date.getUTCFullYear() : date.getUTCFullYear() * 12 + date.getUTCMonth();
  };
  return BigInt(unitNumber(to) - unitNumber(from));
}

export function datePart(timestamp: number, part: (date: Date) => number): bigint | null {
  return inRange(timestamp) === null ? null : BigInt(part(new Date(timestamp)));
}

export function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000) + 1;
}
