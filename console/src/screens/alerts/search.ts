import { type Severity, severities } from '../../design/severity.tsx';
import type { Search } from '../../shell/search-string.ts';

/** Parameters of the URL; what is left out has its default. */
export interface AlertsSearch {
  readonly severity?: string;
  readonly status?: 'closed' | 'all';
  readonly from?: string;
  readonly q?: string;
  readonly sort?: 'newest';
}

/** What the parameters mean. */
export interface AlertFilters {
  /** Empty for all. */
  readonly severities: readonly Severity[];
  readonly status: 'open' | 'closed' | 'all';
  readonly from: string;
}

export const defaultRange = '-7d';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The length of a relative range such as `-7d`, in milliseconds; undefined if it is none. */
export function rangeLength(from: string): number | undefined {
  const match = /^-(\d{1,4})([mhdw])$/.exec(from);
  const length = match ? Number(match[1]) * (units[match[2] as string] as number) : 0;
  return length > 0 && length <= 366 * 86_400_000 ? length : undefined;
}

/** Unknown values are dropped, so that an old or mistyped link still opens the list. */
export function readAlertsSearch({ severity, status, from, q, sort }: Search): AlertsSearch {
  const chosen = writeSeverities(readSeverities(severity));
  return {
    ...(chosen !== undefined && { severity: chosen }),
    ...((status === 'closed' || status === 'all') && { status }),
    ...(from !== undefined && from !== defaultRange && rangeLength(from) !== undefined && { from }),
    ...(q && { q }),
    ...(sort === 'newest' && { sort }),
  };
}

export function readSeverities(list: string | undefined): Severity[] {
  const names = (list ?? '').toLowerCase().split(',');
  return severities.filter((severity) => names.includes(severity.toLowerCase()));
}

/** Undefined for none and for all: both mean that there is no filter. */
export function writeSeverities(chosen: readonly Severity[]): string | undefined {
  if (chosen.length === 0 || chosen.length === severities.length) return undefined;
  return severities
    .filter((severity) => chosen.includes(severity))
    .map((severity) => severity.toLowerCase())
    .join(',');
}

export function filtersOf(search: AlertsSearch): AlertFilters {
  return {
    severities: readSeverities(search.severity),
    status: search.status ?? 'open',
    from: search.from ?? defaultRange,
  };
}
