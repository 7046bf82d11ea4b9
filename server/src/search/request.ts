import { type Static, Type } from 'typebox';
import type { Dataset, Fields } from './dataset.ts';
import { readField } from './field.ts';
import { type Filter, FilterBody, readFilter } from './filter.ts';
import { readTimeRange, TimeFilter, type TimeRange } from './time-range.ts';

/** Clients send null, an empty list or nothing at all for "no restriction", even for the body itself. */
export const SearchBody = Type.Union([
  Type.Object({
    timeFilter: Type.Optional(
      Type.Union([TimeFilter, Type.Null()], {
        description: 'Time range of at most 7 days; the last 24 hours when left out.',
      }),
    ),
    filters: Type.Optional(
      Type.Union([Type.Array(FilterBody, { maxItems: 100 }), Type.Null()], {
        description: 'A record is in the answer when all of them hold.',
      }),
    ),
    returns: Type.Optional(
      Type.Union([Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 200 }), Type.Null()], {
        description: 'Names of the members that the answer shows; all when left out.',
      }),
    ),
  }),
  Type.Null(),
]);
export type SearchBody = Static<typeof SearchBody>;

export interface Search {
  /** Left out where records have no time. */
  readonly range?: TimeRange;
  readonly filters: readonly Filter[];
  /** Members to show, each once; undefined shows all. */
  readonly returns: readonly string[] | undefined;
}

/** Reads a body that has the shape of SearchBody; what it asks for is checked here. */
export function readSearch(body: SearchBody | undefined, dataset: Dataset, now: number): Search {
  return {
    range: readTimeRange(body?.timeFilter ?? {}, now, 'timeFilter.'),
    ...readSelection(body, dataset),
  };
}

/** The same for records without a time: a time filter says nothing about them. */
export function readSelection(body: SearchBody | undefined, fields: Fields): Omit<Search, 'range'> {
  const { filters, returns } = body ?? {};
  const shown = (returns ?? []).map((name, index) => readField(name, `returns[${index}]`, fields).path.field);
  return {
    filters: (filters ?? []).map((filter, index) => readFilter(filter, `filters[${index}]`, fields)),
    returns: shown.length > 0 ? [...new Set(shown)] : undefined,
  };
}
