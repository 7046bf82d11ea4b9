import { type Static, type TSchema, Type } from 'typebox';
import { Checks } from '../platform/checks.ts';
import type { Fields } from './dataset.ts';
import { readField } from './field.ts';
import { type Filter, FilterBody, readFilters } from './filter.ts';
import { readTimeRange, TimeFilter, type TimeRange } from './time-range.ts';

const partialDescription =
  'true: damaged days are omitted and listed in `missingDays`; otherwise they fail the request.';

/** Clients send null, an empty array or nothing for "no restriction", even for the body itself. */
const members = {
  timeFilter: Type.Optional(
    Type.Union([TimeFilter, Type.Null()], {
      description: 'Time range of at most 7 days; default: the last 24 hours.',
    }),
  ),
  filters: Type.Optional(
    Type.Union([Type.Array(FilterBody, { maxItems: 100 }), Type.Null()], {
      description:
        'Conditions joined by AND; in total at most 10,000 values and 5,000 characters of regular expressions.',
    }),
  ),
  returns: Type.Optional(
    Type.Union([Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 200 }), Type.Null()], {
      description: 'Names of the members to return; default: all.',
    }),
  ),
};
export const SearchBody = Type.Union([Type.Object(members), Type.Null()]);
export type SearchBody = Static<typeof SearchBody>;

/** SearchBody for datasets stored in daily files. */
export const DaysSearchBody = Type.Union([
  Type.Object({
    ...members,
    partial: Type.Optional(
      Type.Union([Type.Boolean(), Type.Null()], {
        description: partialDescription,
      }),
    ),
  }),
  Type.Null(),
]);

/** SearchBody with further members. */
export function extendedBody(more: Readonly<Record<string, TSchema>>): typeof DaysSearchBody {
  return Type.Union([Type.Object({ ...members, ...more }), Type.Null()]) as typeof DaysSearchBody;
}

/** `partial` as a query parameter. */
export const PartialQuery = {
  partial: Type.Optional(Type.Enum(['true', 'false'], { description: partialDescription })),
};

export interface Search {
  /** Absent for records without time. */
  readonly range?: TimeRange;
  readonly filters: readonly Filter[];
  /** Members to return, without duplicates; undefined returns all. */
  readonly returns: readonly string[] | undefined;
}

type Selection = Omit<Search, 'range'>;

/** Parses a body that matches the schema of SearchBody, and checks its content. */
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

/** Like `readSearch`, for records without time; ignores the time filter. */
export function readSelection(body: SearchBody | undefined, fields: Fields): Selection {
  const { filters, returns } = body ?? {};
  const checks = new Checks();
  const read = checks.run(() => readFilters(filters ?? [], fields));
  const names = (returns ?? []).map((name, index) =>
    checks.run(() => readField(name, `returns[${index}]`, fields).path.field),
  );
  checks.finish();
  return {
    filters: read as Filter[],
    returns: names.length > 0 ? [...new Set(names as string[])] : undefined,
  };
}
