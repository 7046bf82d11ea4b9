import { Type } from 'typebox';
import type { Family } from '../http/family.ts';
import { JsonBytes } from '../http/reply.ts';
import { defineRoute, type Origin, type Route } from '../http/route.ts';
import type { Clock } from '../platform/clock.ts';
import { readSelection, SearchBody } from '../search/request.ts';
import { readTimeRange, TimeRangeQuery } from '../search/time-range.ts';
import type { TelemetryDataset } from '../telemetry/dataset.ts';
import { recordForm } from '../telemetry/record-form.ts';
import type { AnswerPage, Telemetry } from '../telemetry/telemetry.ts';

export interface DatasetRouteParts {
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly family: Family;
}

/** The search of a dataset and the pages after its first. */
export function datasetRoutes(
  dataset: TelemetryDataset,
  { telemetry, clock, family }: DatasetRouteParts,
): Route[] {
  const path = `/api/v2/${dataset.path}` as const;
  const replies = { 200: answerForm(dataset) };
  const search = defineRoute({
    method: 'POST',
    path: `${path}/search`,
    family,
    summary: `Search ${dataset.path}`,
    description: `${dataset.description} Newest first; the last 24 hours when no time is given.`,
    access: 'read',
    body: SearchBody,
    exactNumbers: true,
    abandonable: true,
    replies,
    refuses: ['INVALID_TIME_RANGE', 'INVALID_FIELD', 'INVALID_FILTER'],
  });
  const next = defineRoute({
    method: 'GET',
    path: `${path}/{page}`,
    family,
    summary: `Show the next page of a search in ${dataset.path}`,
    description: 'The address comes from `paging.urls.nextPage` and holds for 24 hours.',
    access: 'read',
    params: Type.Object({
      page: Type.String({ minLength: 1, maxLength: 4_000, description: 'What the page before gave.' }),
    }),
    abandonable: true,
    replies,
    refuses: ['NOT_FOUND'],
  });
  const list = defineRoute({
    method: 'GET',
    path,
    family,
    summary: `List ${dataset.path} of a time range`,
    description: `${dataset.description} Newest first; the last 24 hours when no time is given.`,
    access: 'read',
    query: TimeRangeQuery,
    abandonable: true,
    replies,
    refuses: ['INVALID_TIME_RANGE'],
  });
  const listed = list.handle(async ({ scope, query, origin, abandoned }) => {
    const question = { range: readTimeRange(query, clock.now()), filters: [], returns: undefined };
    const page = await telemetry.search(dataset, scope.ownerId, question, abandoned);
    return { status: 200, body: answer(dataset, page, origin) };
  });
  return [
    ...(dataset.search?.isListed ? [listed] : []),
    search.handle(async ({ scope, body, origin, abandoned }) => {
      const range = readTimeRange(body?.timeFilter ?? {}, clock.now(), 'timeFilter.');
      const { returns } = readSelection(body, await telemetry.fieldsFor(dataset, scope.ownerId));
      const question = { range, filters: body?.filters ?? [], returns };
      const page = await telemetry.search(dataset, scope.ownerId, question, abandoned);
      return { status: 200, body: answer(dataset, page, origin) };
    }),
    next.handle(async ({ scope, params, origin, abandoned }) => {
      const page = await telemetry.nextPage(dataset, scope.ownerId, params.page, abandoned);
      return { status: 200, body: answer(dataset, page, origin) };
    }),
  ];
}

function answerForm(dataset: TelemetryDataset) {
  const data = Type.Array(recordForm(dataset), { description: 'The records.' });
  if (!dataset.search?.isPaged) return Type.Object({ data });
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
  return Type.Object({ paging, data });
}

/** The records go to the client as the text they are. The address is built from the host that the client called. */
function answer({ path, search }: TelemetryDataset, page: AnswerPage, { url }: Origin): JsonBytes {
  const nextPage = page.next === undefined ? null : `${url}/api/v2/${path}/${page.next}`;
  const paging = { rows: page.rows, totalRows: page.totalRows, urls: { nextPage } };
  const head = search?.isPaged ? `"paging":${JSON.stringify(paging)},` : '';
  return JsonBytes.around(`{${head}"data":[`, page.text, ']}');
}
