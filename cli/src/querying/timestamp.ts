import { formatInstant, parseInstant } from '@vedette/server/platform/instant';
import { UsageError } from '../usage-error.ts';

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Accepts an ISO 8601 timestamp, `now`, or an age such as `-7d`. */
export function readTimestamp(option: string, value: string | undefined, now: number): string | undefined {
  if (value === undefined) return undefined;
  if (value === 'now') return formatInstant(now);
  const [, count, unit] = /^-(\d{1,6})([smhdw])$/.exec(value) ?? [];
  if (unit) return formatInstant(now - Number(count) * units[unit as keyof typeof units]);
  const instant = parseInstant(value);
  if (instant === undefined)
    throw new UsageError(
      `--${option} must be a time such as 2026-03-01T12:00:00Z or 2026-03-01, now, or -7d for seven days ago (s, m, h, d, w), not '${value}'.`,
    );
  return formatInstant(instant);
}
