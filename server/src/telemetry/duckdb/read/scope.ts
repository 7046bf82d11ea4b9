import { BIGINT, VARCHAR } from '@duckdb/node-api';
import type { Filter } from '../../../search/filter.ts';
import type { TimeRange } from '../../../search/time-range.ts';
import type { TelemetryDataset } from '../../dataset.ts';
import type { RecordPosition } from '../../page.ts';
import type { RecordSearch } from '../../record-search.ts';
import type { Segment, Span } from '../segments/segment.ts';
import { compileFilter } from '../sql/filter-sql.ts';
import { bind, joined, plain, type Sql, sql } from '../sql/sql.ts';

/** The records that one statement reads: those of a search after a position, in some segments. */
export interface Scope extends RecordSearch {
  readonly after: RecordPosition | undefined;
  readonly segments: readonly Segment[];
  /** All segments that contain records before the end of the range, for a dataset with an `earliest` member. */
  readonly history?: readonly Segment[] | undefined;
  /** Restricts to records that begin in [from, before). */
  readonly from?: number | undefined;
  readonly before?: number | undefined;
}

/** Records from this instant on need not be read. */
export function endOf({ dataset, range, after }: Pick<Scope, 'dataset' | 'range' | 'after'>): number {
  return after && isPlain({ dataset }) ? Math.min(range.end, after.t + 1) : range.end;
}

/** The part of a scope that begins in [from, before), with the segments that may contain it. */
export function narrowed<SomeScope extends Scope>(
  scope: SomeScope,
  from?: number,
  before?: number,
): SomeScope {
  const { dataset, range, segments } = scope;
  const end = Math.min(endOf(scope), before ?? Number.POSITIVE_INFINITY);
  const { path } = dataset;
  const mayHold = (segment: Segment) =>
    from === undefined ? segment.covers(path, range.start, end) : segment.begins(path, from, end);
  return { ...scope, from, before, segments: segments.filter(mayHold) };
}

/** Whether a segment's matches do not depend on other segments. */
export function isPlain({ dataset }: Pick<Scope, 'dataset'>): boolean {
  return dataset.search?.newestPer === undefined;
}

/** Applies a selection to each segment and combines the results. */
export function perSegment(scope: Scope, select: (source: Sql, segment: Segment) => Sql): Sql {
  const selects = scope.segments.map((segment) =>
    select(sql`${plain(segment.table(scope.dataset.path))} where ${whereOf(scope, segment)}`, segment),
  );
  return joined(selects, ' union all ');
}

/**
 * The conditions of a scope in one segment. Testing account and time of every record costs as much as a filter, so
 * conditions that hold for a whole final segment are omitted.
 */
export function whereOf(scope: Scope, segment: Segment): Sql {
  const { dataset, account, filters, upTo, after } = scope;
  const { path } = dataset;
  const span = segment.finalSpan(path);
  const isKnown = segment.isFinal && segment.lastBatch(account, path) <= upTo;
  const isBeyond = after && span && span.last < after.t;
  return allOf([
    ...(segment.isOnlyOf(account) ? [] : [sql`account = ${bind(account, VARCHAR)}`]),
    ...instantsOf(scope, span),
    ...(isKnown ? [] : [sql`seq <= ${integer(upTo)}`]),
    ...(isPlain(scope) ? conditions(filters, dataset, segment) : []),
    ...(after && isPlain(scope) && !isBeyond ? [isAfter(after)] : []),
  ]);
}

/** The filter conditions for a segment. */
function conditions(filters: readonly Filter[], dataset: TelemetryDataset, segment: Segment): Sql[] {
  const mistyped = segment.spans.get(dataset.path)?.hasMistyped ? 'some' : 'none';
  return filters.map((filter) => compileFilter(filter, dataset, { mistyped }));
}

export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? plain('true') : joined(conditions, ' and ');
}

export function isAfter({ t, seq, n }: RecordPosition): Sql {
  const [time, batch] = [integer(t), integer(seq)];
  // The first condition is redundant, but lets the engine skip newer row groups.
  return sql`t <= ${time} and (t < ${time} or seq < ${batch} or (seq = ${batch} and n < ${integer(n)}))`;
}

/** The condition for records in a time range. */
export function inRange(dataset: TelemetryDataset, range: TimeRange): Sql {
  return allOf(instantsOf({ dataset, range }));
}

function instantsOf(
  { dataset, range, from, before }: Pick<Scope, 'dataset' | 'range' | 'from' | 'before'>,
  span?: Span,
): Sql[] {
  const isOverlap = dataset.range.by === 'overlap';
  const first = Math.max(
    isOverlap ? Number.NEGATIVE_INFINITY : range.start,
    from ?? Number.NEGATIVE_INFINITY,
  );
  const end = Math.min(range.end, before ?? Number.POSITIVE_INFINITY);
  return [
    ...(isOverlap ? [sql`e > ${integer(range.start)}`] : []),
    ...(first <= (span?.from ?? Number.NEGATIVE_INFINITY) ? [] : [sql`t >= ${integer(first)}`]),
    ...(span && span.last < end ? [] : [sql`t < ${integer(end)}`]),
  ];
}

/**
 * As a parameter, so that the plan is made at execution. An earlier plan drops conditions that held by the
 * statistics of that time, such as `seq <= 7`, and then shows batch 8.
 */
export function integer(value: number): Sql {
  return bind(BigInt(value), BIGINT);
}
