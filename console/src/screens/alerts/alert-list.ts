import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, type Reply } from '../../api/client.ts';
import { type Severity, severities } from '../../design/severity.tsx';
import { type AlertFilters, rangeLength } from './search.ts';

/** What the list shows of an alert. */
export interface AlertRow {
  readonly id: number;
  readonly name: string;
  readonly subject: string;
  readonly severity: Severity;
  readonly status: 'Open' | 'Closed';
  readonly source: string;
  readonly startTime: string;
}

/** The longest range that the interface searches at once. */
const longestSearch = 7 * 86_400_000;
/** Alerts of the last minutes are found although the clocks of browser and server differ a little. */
const clockSlack = 2 * 60_000;

/** Where the next part of the list comes from: a page of the same search, or the range before it. */
type Part = { readonly start: number; readonly end: number } & { readonly page?: string };

interface LoadedPart {
  readonly rows: readonly AlertRow[];
  /** Alerts of the part's search. */
  readonly total: number;
  readonly next: Part | undefined;
}

const returned = ['alertId', 'alertName', 'alertInfo', 'severity', 'status', 'derivedFields', 'startTime'];

/** The alerts of an account, newest first, in several searches if the range is long. */
export function useAlertList(account: string, filters: AlertFilters) {
  const length = rangeLength(filters.from) ?? longestSearch;
  const query = useInfiniteQuery({
    queryKey: ['alerts', account, filters],
    initialPageParam: undefined as Part | undefined,
    queryFn: ({ pageParam, signal }) => loadPart(account, filters, length, pageParam, signal),
    getNextPageParam: ({ next }) => next,
    refetchInterval: length <= longestSearch ? 60_000 : false,
    placeholderData: (previous) => previous,
  });
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const last = data?.pages.at(-1);
  // Ranges continue by themselves; further pages of a range with thousands of alerts are loaded on request.
  const continues = hasNextPage && last?.next?.page === undefined;
  useEffect(() => {
    if (continues && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [continues, isFetchingNextPage, isError, fetchNextPage]);
  return { ...query, rows: data?.pages.flatMap(({ rows }) => rows), continues };
}

async function loadPart(
  account: string,
  filters: AlertFilters,
  length: number,
  given: Part | undefined,
  signal: AbortSignal,
): Promise<LoadedPart> {
  const now = Date.now() + clockSlack;
  const part = given ?? { start: now - Math.min(length, longestSearch), end: now };
  const { data, paging } = part.page
    ? await call('GET /api/v2/Alerts/search/{page}', { path: { page: part.page } }, { account, signal })
    : await call('POST /api/v2/Alerts/search', { body: bodyOf(filters, part) }, { account, signal });
  return { rows: data.map(rowOf), total: paging.totalRows, next: nextPart(part, paging, now - length) };
}

function bodyOf({ severities: chosen, status }: AlertFilters, { start, end }: Part) {
  return {
    timeFilter: { startTime: new Date(start).toISOString(), endTime: new Date(end).toISOString() },
    filters: [
      ...(chosen.length > 0 ? [{ field: 'severity', expression: 'in', values: chosen }] : []),
      ...(status === 'all'
        ? []
        : [{ field: 'status', expression: 'eq', value: status === 'open' ? 'Open' : 'Closed' }]),
    ],
    returns: returned,
  };
}

type Paging = Reply<'POST /api/v2/Alerts/search'>['paging'];

function nextPart(part: Part, { urls }: Paging, oldest: number): Part | undefined {
  if (urls.nextPage) {
    // Only the token: the address is that of the server, which the browser may reach by another one.
    const page = new URL(urls.nextPage).pathname.split('/').at(-1) as string;
    return { start: part.start, end: part.end, page: decodeURIComponent(page) };
  }
  if (part.start <= oldest) return undefined;
  return { start: Math.max(oldest, part.start - longestSearch), end: part.start };
}

function rowOf(record: Reply<'POST /api/v2/Alerts/search'>['data'][number]): AlertRow {
  return {
    id: record.alertId ?? 0,
    name: record.alertName ?? '',
    subject: record.alertInfo?.subject ?? record.alertName ?? '',
    severity: record.severity ?? 'Info',
    status: record.status ?? 'Open',
    source: sourceOf(record.derivedFields?.source ?? '', record.derivedFields?.sub_category ?? ''),
    startTime: record.startTime ?? '',
  };
}

/** Kinds such as `Kubernetes Activity` name their source already. */
function sourceOf(source: string, kind: string): string {
  return kind.includes(source) ? kind : [source, kind].filter(Boolean).join(', ');
}

/** The most severe first, the newest of them first; or simply the newest first, as they come. */
export function sorted(rows: readonly AlertRow[], sort: 'newest' | undefined): readonly AlertRow[] {
  if (sort === 'newest') return rows;
  const rank = (row: AlertRow) => severities.indexOf(row.severity);
  return [...rows].sort((one, other) => rank(one) - rank(other));
}

/** Rows that contain all words of the filter, in any of their columns. */
export function matching(rows: readonly AlertRow[], q: string | undefined): readonly AlertRow[] {
  const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${row.id} ${row.subject} ${row.name} ${row.source}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
