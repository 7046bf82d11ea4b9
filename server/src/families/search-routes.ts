import { type TObject, type TSchema, Type } from 'typebox';
import type { Family } from '../http/family.ts';
import { JsonBytes } from '../http/reply.ts';
import { defineRoute, type Origin, type Route } from '../http/route.ts';
import type { Clock } from '../platform/clock.ts';
import type { Fields } from '../search/dataset.ts';
import type { Filter } from '../search/filter.ts';
import type { ResultPage, SearchQuery } from '../search/page.ts';
import { DaysSearchBody, extendedBody, PartialQuery, readSearch } from '../search/request.ts';
import { readTimeRange, TimeRangeQuery } from '../search/time-range.ts';

/** A source of time-stamped records that can be searched page by page. */
export interface SearchSource {
  /** Relative to /api/v2, such as Entities/Machines. */
  readonly path: string;
  readonly description: string;
  readonly record: TObject;
  readonly isPaged: boolean;
  /** Whether GET lists the records of a time range. */
  readonly isListed: boolean;
  /** Parent path of the result pages; differs from `path` if record ids follow `path`. */
  readonly pages: string;
  /** Further members of the body of a search, and what they mean for it. */
  readonly extension?: {
    readonly members: Readonly<Record<string, TSchema>>;
    apply(body: Readonly<Record<string, unknown>>, query: SearchQuery): SearchQuery;
  };
  fieldsFor(ownerId: string): Promise<Fields>;
  search(ownerId: string, request: SearchQuery, signal: AbortSignal): Promise<ResultPage>;
  /** Warnings about valid filters that are probably mistakes, given the result. */
  warn?(ownerId: string, filters: readonly Filter[], result: Pick<ResultPage, 'rows'>): Promise<string[]>;
  nextPage(ownerId: string, page: string, signal: AbortSignal): Promise<ResultPage>;
}

/** Routes to search records, to get the next page of a search, and to list the records of a time range. */
export function searchRoutes(
  source: SearchSource,
  { clock, family }: { readonly clock: Clock; readonly family: Family },
): Route[] {
  const path = `/api/v2/${source.path}` as const;
  const replies = { 200: responseSchema(source) };
  const description = `${source.description} Newest first. The default time range is the last 24 hours.`;
  const search = defineRoute({
    method: 'POST',
    path: `${path}/search`,
    family,
    summary: `Search ${source.path}`,
    description,
    access: 'read',
    body: source.extension ? extendedBody(source.extension.members) : DaysSearchBody,
    exactNumbers: true,
    cancellable: true,
    replies,
    refuses: ['INVALID_TIME_RANGE', 'INVALID_FIELD', 'INVALID_FILTER', 'DATA_DAMAGED'],
  });
  const next = defineRoute({
    method: 'GET',
    path: `/api/v2/${source.pages}/{page}`,
    family,
    summary: `Get the next page of a search in ${source.path}`,
    description: 'The URL is in `paging.urls.nextPage` of the previous page and is valid for 24 hours.',
    access: 'read',
    params: Type.Object({
      page: Type.String({
        minLength: 1,
        maxLength: 4_000,
        description: 'Page token from the previous page.',
      }),
    }),
    cancellable: true,
    replies,
    refuses: ['NOT_FOUND', 'DATA_DAMAGED'],
  });
  const list = defineRoute({
    method: 'GET',
    path,
    family,
    summary: `List ${source.path} of a time range`,
    description,
    access: 'read',
    query: Type.Object({ ...TimeRangeQuery.properties, ...PartialQuery }),
    cancellable: true,
    replies,
    refuses: ['INVALID_TIME_RANGE', 'DATA_DAMAGED'],
  });
  const listRoute = list.handle(async ({ scope, query, origin, signal }) => {
    const range = readTimeRange(query, clock.now());
    const request = { range, filters: [], returns: undefined, ...partialOf(query.partial === 'true') };
    const page = await source.search(scope.ownerId, request, signal);
    return { status: 200, body: responseBody(source, page, origin) };
  });
  return [
    ...(source.isListed ? [listRoute] : []),
    search.handle(async ({ scope, body, origin, signal }) => {
      const { ownerId } = scope;
      const { range, filters, returns } = readSearch(body, await source.fieldsFor(ownerId), clock.now());
      const plainRequest: SearchQuery = {
        ...{ range, filters: body?.filters ?? [], returns },
        ...partialOf(body?.partial === true),
      };
      const request = source.extension?.apply(body ?? {}, plainRequest) ?? plainRequest;
      const page = await source.search(ownerId, request, signal);
      const warnings = (await source.warn?.(ownerId, filters, page)) ?? [];
      return { status: 200, body: responseBody(source, page, origin), warnings };
    }),
    next.handle(async ({ scope, params, origin, signal }) => {
      const page = await source.nextPage(scope.ownerId, params.page, signal);
      return { status: 200, body: responseBody(source, page, origin) };
    }),
  ];
}

function responseSchema({ record, isPaged }: SearchSource) {
  const data = Type.Array(record, { description: 'The records.' });
  const missingDays = Type.Optional(
    Type.Array(Type.String({ maxLength: 10 }), {
      description:
        'Only in a partial response: days of arrival that are omitted because their data is damaged, as 2026-03-01.',
    }),
  );
  if (!isPaged) return Type.Object({ missingDays, data });
  const paging = Type.Object(
    {
      rows: Type.Integer({ description: 'Records on this page.' }),
      totalRows: Type.Integer({ description: 'Records on all pages, counted up to 500,000.' }),
      urls: Type.Object(
        {
          nextPage: Type.Union([Type.String({ maxLength: 5_000 }), Type.Null()], {
            description: 'URL of the next page; null on the last page.',
          }),
        },
        { description: 'URLs of further pages.' },
      ),
    },
    { description: 'Position in the result.' },
  );
  return Type.Object({ paging, missingDays, data });
}

/** The serialized records are copied as they are. The URL has the host that the client called. */
function responseBody({ pages, isPaged }: SearchSource, page: ResultPage, { url }: Origin): JsonBytes {
  const nextPage = page.next === undefined ? null : `${url}/api/v2/${pages}/${page.next}`;
  const paging = { rows: page.rows, totalRows: page.totalRows, urls: { nextPage } };
  const { missingDays = [] } = page;
  const head = [
    ...(isPaged ? [`"paging":${JSON.stringify(paging)},`] : []),
    ...(missingDays.length > 0 ? [`"missingDays":${JSON.stringify(missingDays)},`] : []),
  ];
  return JsonBytes.wrap(`{${head.join('')}"data":[`, page.text, ']}');
}

/** Omitted unless requested, to keep the URL of the next page short. */
function partialOf(partial: boolean): Pick<SearchQuery, 'partial'> {
  return partial ? { partial } : {};
}
