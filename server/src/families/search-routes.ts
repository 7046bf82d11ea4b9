import { type TObject, Type } from 'typebox';
import type { Family } from '../http/family.ts';
import { JsonBytes } from '../http/reply.ts';
import { defineRoute, type Origin, type Route } from '../http/route.ts';
import type { Clock } from '../platform/clock.ts';
import type { Fields } from '../search/dataset.ts';
import type { Filter } from '../search/filter.ts';
import type { Question, ResultPage } from '../search/page.ts';
import { DaysSearchBody, PartialQuery, readSearch } from '../search/request.ts';
import { readTimeRange, TimeRangeQuery } from '../search/time-range.ts';

/** Records with a time that are searched page by page, wherever they lie. */
export interface Searched {
  /** Below /api/v2, such as Entities/Machines. */
  readonly path: string;
  readonly description: string;
  readonly record: TObject;
  readonly isPaged: boolean;
  /** Whether GET lists those of a time range. */
  readonly isListed: boolean;
  /** The path that the pages after the first lie below; another one than `path` where that has ids below it. */
  readonly pages: string;
  fieldsFor(ownerId: string): Promise<Fields>;
  search(ownerId: string, question: Question, signal: AbortSignal): Promise<ResultPage>;
  /** What is probably not meant by filters that are right, given what they found. */
  warn?(ownerId: string, filters: readonly Filter[], found: Pick<ResultPage, 'rows'>): Promise<string[]>;
  nextPage(ownerId: string, page: string, signal: AbortSignal): Promise<ResultPage>;
}

/** The search of records, the pages after its first, and the list of a time range. */
export function searchRoutes(
  searched: Searched,
  { clock, family }: { readonly clock: Clock; readonly family: Family },
): Route[] {
  const path = `/api/v2/${searched.path}` as const;
  const replies = { 200: answerForm(searched) };
  const description = `${searched.description} Newest first; the last 24 hours when no time is given.`;
  const search = defineRoute({
    method: 'POST',
    path: `${path}/search`,
    family,
    summary: `Search ${searched.path}`,
    description,
    access: 'read',
    body: DaysSearchBody,
    exactNumbers: true,
    cancellable: true,
    replies,
    refuses: ['INVALID_TIME_RANGE', 'INVALID_FIELD', 'INVALID_FILTER', 'DATA_DAMAGED'],
  });
  const next = defineRoute({
    method: 'GET',
    path: `/api/v2/${searched.pages}/{page}`,
    family,
    summary: `Show the next page of a search in ${searched.path}`,
    description: 'The address comes from `paging.urls.nextPage` and holds for 24 hours.',
    access: 'read',
    params: Type.Object({
      page: Type.String({ minLength: 1, maxLength: 4_000, description: 'What the page before gave.' }),
    }),
    cancellable: true,
    replies,
    refuses: ['NOT_FOUND', 'DATA_DAMAGED'],
  });
  const list = defineRoute({
    method: 'GET',
    path,
    family,
    summary: `List ${searched.path} of a time range`,
    description,
    access: 'read',
    query: Type.Object({ ...TimeRangeQuery.properties, ...PartialQuery }),
    cancellable: true,
    replies,
    refuses: ['INVALID_TIME_RANGE', 'DATA_DAMAGED'],
  });
  const listed = list.handle(async ({ scope, query, origin, signal }) => {
    const range = readTimeRange(query, clock.now());
    const question = { range, filters: [], returns: undefined, ...partialOf(query.partial === 'true') };
    const page = await searched.search(scope.ownerId, question, signal);
    return { status: 200, body: answer(searched, page, origin) };
  });
  return [
    ...(searched.isListed ? [listed] : []),
    search.handle(async ({ scope, body, origin, signal }) => {
      const { ownerId } = scope;
      const { range, filters, returns } = readSearch(body, await searched.fieldsFor(ownerId), clock.now());
      const question = {
        ...{ range, filters: body?.filters ?? [], returns },
        ...partialOf(body?.partial === true),
      };
      const page = await searched.search(ownerId, question, signal);
      const warnings = (await searched.warn?.(ownerId, filters, page)) ?? [];
      return { status: 200, body: answer(searched, page, origin), warnings };
    }),
    next.handle(async ({ scope, params, origin, signal }) => {
      const page = await searched.nextPage(scope.ownerId, params.page, signal);
      return { status: 200, body: answer(searched, page, origin) };
    }),
  ];
}

function answerForm({ record, isPaged }: Searched) {
  const data = Type.Array(record, { description: 'The records.' });
  const missingDays = Type.Optional(
    Type.Array(Type.String({ maxLength: 10 }), {
      description:
        'Only in an answer that is partial: days of arrival that are damaged and left out, as 2026-03-01.',
    }),
  );
  if (!isPaged) return Type.Object({ missingDays, data });
  const paging = Type.Object(
    {
      rows: Type.Integer({ description: 'Records in this page.' }),
      totalRows: Type.Integer({ description: 'Records in all pages, counted up to 500,000.' }),
      urls: Type.Object(
        {
          nextPage: Type.Union([Type.String({ maxLength: 5_000 }), Type.Null()], {
            description: 'Address of the next page; null on the last.',
          }),
        },
        { description: 'Where to go on.' },
      ),
    },
    { description: 'Which part of the answer this is.' },
  );
  return Type.Object({ paging, missingDays, data });
}

/** The records go to the client as the text they are. The address is built from the host that the client called. */
function answer({ pages, isPaged }: Searched, page: ResultPage, { url }: Origin): JsonBytes {
  const nextPage = page.next === undefined ? null : `${url}/api/v2/${pages}/${page.next}`;
  const paging = { rows: page.rows, totalRows: page.totalRows, urls: { nextPage } };
  const { missingDays = [] } = page;
  const head = [
    ...(isPaged ? [`"paging":${JSON.stringify(paging)},`] : []),
    ...(missingDays.length > 0 ? [`"missingDays":${JSON.stringify(missingDays)},`] : []),
  ];
  return JsonBytes.wrap(`{${head.join('')}"data":[`, page.text, ']}');
}

/** Only where it is asked for, so that the address of a next page stays as short as it was. */
function partialOf(partial: boolean): Pick<Question, 'partial'> {
  return partial ? { partial } : {};
}
