export type Zone = 'local' | 'utc';

const zoneOption = (zone: Zone) => (zone === 'utc' ? { timeZone: 'UTC' } : {});

/** Date and time to the second, with the name of the zone. */
export function exactTime(instant: number, zone: Zone): string {
  const formatter = new Intl.DateTimeFormat('en-GB', {
    ...{ year: 'numeric', month: 'short', day: 'numeric', weekday: 'short' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
    ...zoneOption(zone),
  });
  return formatter.format(instant);
}

/** Hours and minutes. */
export function clockTime(instant: number, zone: Zone): string {
  return new Intl.DateTimeFormat('en-GB', {
    ...{ hour: '2-digit', minute: '2-digit' },
    ...zoneOption(zone),
  }).format(instant);
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** Such as "5 min. ago"; the largest whole unit. */
export function relativeTime(instant: number, now: number): string {
  const difference = instant - now;
  for (const [unit, length] of units) {
    if (Math.abs(difference) >= length) return relative.format(Math.trunc(difference / length), unit);
  }
  return 'just now';
}

export function zoneName(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
