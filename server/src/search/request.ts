import { type Static, Type } from 'typebox';
import { Checks } from '../platform/checks.ts';
import type { Fields } from './dataset.ts';
import { readField } from './field.ts';
import { type Filter, FilterBody, readFilters } from './filter.ts';
import { readTimeRange, TimeFilter, type TimeRange } from './time-range.ts';

const aboutPartial =
  'true: days that are damaged are left out and named in `missingDays`, where the request would fail otherwise.';

/** Clients send null, an empty list or nothing at all for "no restriction", even for the body itself. */
const members = {
  timeFilter: Type.Optional(
    Type.Union([TimeFilter, Type.Null()], {
      description: 'Time range of at most 7 days; the last 24 hours when left out.',
    }),
  ),
  filters: Type.Optional(
    Type.Union([Type.Array(FilterBody, { maxItems: 100 }), Type.Null()], {
      description:
        'A record is in the answer when all of them hold. They have at most 10,000 values and regular expressions of 5,000 characters in all.',
    }),
  ),
  returns: Type.Optional(
    Type.Union([Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 200 }), Type.Null()], {
      description: 'Names of the members that the answer shows; all when left out.',
    }),
  ),
};
export const SearchBody = Type.Union([Type.Object(members), Type.Null()]);
export type SearchBody = Static<typeof SearchBody>;

/** The same for records that lie in files of days. */
export const DaysSearchBody = Type.Union([
  Type.Object({
    ...members,
    partial: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], {
        description: aboutPartial,
      }),
    ),
  }),
  Type.Null(),
]);

/** The same as a parameter of a list. */
export const PartialQuery = {
  partial: Type.Optional(Type.Enum(['true', 'false'], { description: aboutPartial })),
};

export interface Search {
  /** Left out where records have no time. */
  readonly range?: TimeRange;
  readonly filters: readonly Filter[];
  /** Members to show, each once; undefined shows all. */
  readonly returns: readonly string[] | undefined;
}

type Selection = Omit<Search, 'range'>;

/** Reads a body that has the shape of SearchBody; what it asks for is checked here. */
export function readSearch(
  body: SearchBody | undefined,
  fields: Fields,
  now: number,
): Search & { readonly range: TimeRange } {
  const checks = new Checks();
  const range = checks.run(() => readTimeRange(body?.timeFilter ?? {}, now, 'timeFilter.'));
  const selection = checks.run(() => readSelection(body, fields));
  checks.finish();
  return { range: range as TimeRange, ...(selection as Selection) };
}

/** The same for records without a time: a time filter says nothing about them. */
export function readSelection(body: SearchBody | undefined, fields: Fields): Selection {
  const { filters, returns } = body ?? {};
  const checks = new Checks();
  const read = checks.run(() => readFilters(filters ?? [], fields));
  const shown = (returns ?? []).map((name, index) =>
    checks.run(() => readField(name, `returns[${index}]`, fields).path.field),
  );
  checks.finish();
  return {
    filters: read as Filter[],
    returns: shown.length > 0 ? [...new Set(shown as string[])] : undefined,
  };
}
