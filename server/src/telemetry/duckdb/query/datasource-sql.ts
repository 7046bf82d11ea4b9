import type { ArrivalRange, Bind, Bound, Bounds, ExtractedType } from '@vedette/lql/compile/tables';
import type { TelemetryDataset } from '../../dataset.ts';
import type { Datasource } from '../../datasource.ts';
import { memberAt, type QueryColumn } from '../../query-column.ts';
import { quoted } from '../engine/engine.ts';
import { inRange, whereOf } from '../read/scope.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';
import { pathOf, type TypedColumn } from '../sql/columns.ts';
import { identifier, type Sql } from '../sql/sql.ts';
import { columnSql, isStored, type Mistyped, readSql, receivedColumn } from './column-sql.ts';
import { pairedSql, sidesSql } from './pairs-sql.ts';

export interface ExtractedColumn {
  readonly type: ExtractedType;
  readonly column: TypedColumn;
  readonly as: string;
}

/** A telemetry datasource, the requested columns, and the batches visible to the query. */
export interface DatasourceReading {
  readonly dataset: TelemetryDataset;
  readonly datasource: Datasource;
  readonly columns: readonly QueryColumn[];
  /** Members below Json columns that have typed columns. */
  readonly extracted?: readonly ExtractedColumn[];
  /** Arrays whose elements are requested, by their path in a record. */
  readonly items?: readonly { readonly steps: readonly string[]; readonly as: string }[];
  readonly bounds: Bounds;
  readonly bind: Bind;
  readonly upTo: number;
}

/** All timestamps. */
const always = { start: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER };

/**
 * Selects the columns from the segments that can hold matching rows; undefined if none can. The columns of the time
 * range hold the same timestamps as `t` and `e`.
 */
export function datasourceSql(reading: DatasourceReading, segments: Segments): string | undefined {
  const { dataset, datasource, bounds, bind } = reading;
  const { pairs } = datasource;
  const covering = segmentsFor(reading, segments);
  if (covering.length === 0) return undefined;
  const shown = { some: shownSql(reading, 'some'), none: shownSql(reading, 'none') };
  const selects = covering.map((segment) => {
    const mistyped = segment.spans.get(dataset.path)?.hasMistyped ? 'some' : 'none';
    return segmentSql(reading, segment, shown[mistyped]);
  });
  const rows = selects.join(' union all ');
  if (!pairs) return rows;
  const { arrived } = bounds;
  return pairedSql(
    reading,
    pairs,
    rows,
    arrived ? since(arrived, bind) : inlined(inRange(dataset, bounds), bind),
  );
}

/** The segments that can hold matching rows. */
export function segmentsFor(
  { dataset, datasource, bounds }: Pick<DatasourceReading, 'dataset' | 'datasource' | 'bounds'>,
  segments: Segments,
): Segment[] {
  const { account, arrived } = bounds;
  const { start, end } = rangeOf(datasource, bounds);
  // A pair also needs its earlier record.
  if (arrived && !datasource.pairs) return segments.arrivedAfter(account, dataset.path, arrived.after);
  return segments.covering(account, dataset.path, start, end);
}

/** The two records of a pair may lie outside the range, and late arrivals may have any timestamp. */
function rangeOf({ pairs }: Datasource, bounds: Bounds): typeof always {
  return pairs || bounds.arrived ? always : bounds;
}

/** The columns and conditions, which are the same for all segments. */
interface Selection {
  readonly columns: string;
  readonly conditions: readonly string[];
  readonly needsBatch: boolean;
}

function shownSql(reading: DatasourceReading, mistyped: Mistyped): Selection {
  const { dataset, datasource, columns, extracted = [], items = [] } = reading;
  const { pairs, where = [] } = datasource;
  const shown = [
    ...columns.map((column) => `${columnSql(dataset, column, mistyped)} as ${identifier(column.name).sql}`),
    ...extracted.map((each) => `${extractedSql(each, mistyped)} as ${identifier(each.as).sql}`),
    ...items.map(
      ({ steps, as }) => `json_extract(doc, ${quoted(`${pathOf(steps)}[*]`)}) as ${identifier(as).sql}`,
    ),
  ];
  if (pairs) shown.push(...sidesSql(dataset, pairs, mistyped));
  return {
    // SELECT needs a column, even if rows are only counted or joined.
    columns: shown.length > 0 ? shown.join(', ') : 'true as "-"',
    conditions: where.map(({ member, is }) => {
      const read = { path: member, type: memberAt(dataset, member).type, cast: undefined };
      return `${readSql(dataset, read, mistyped)} ${is === undefined ? 'is not null' : `= ${quoted(is)}`}`;
    }),
    needsBatch: columns.some(({ source }) => isStored(source) && source.stored === 'received'),
  };
}

/** In a mistyped record the column does not hold the value. */
function extractedSql({ type, column: { name, path } }: ExtractedColumn, mistyped: Mistyped): string {
  const typed = identifier(name).sql;
  if (type !== 'Text') return typed;
  const stringSql = `${typed}::varchar`;
  return mistyped === 'none'
    ? stringSql
    : `case when odd then json_extract_string(doc, ${quoted(path)}) else ${stringSql} end`;
}

function segmentSql(
  { dataset, datasource, bounds, bind, upTo }: DatasourceReading,
  segment: Segment,
  { columns, conditions, needsBatch }: Selection,
): string {
  const batches = `left join (select seq as "of batch", received as ${receivedColumn} from ${segment.table('batches')})
    on seq = "of batch"`;
  const { account, arrived } = bounds;
  const range = rangeOf(datasource, bounds);
  const scope = {
    dataset,
    account,
    range,
    upTo: arrived?.upTo ?? upTo,
    filters: [],
    after: undefined,
    segments: [],
  };
  const fresh = arrived && !datasource.pairs ? [since(arrived, bind)] : [];
  return `select ${columns} from ${segment.table(dataset.path)} ${needsBatch ? batches : ''}
    where ${[inlined(whereOf(scope, segment), bind), ...fresh, ...conditions].join(' and ')}`;
}

function since({ after }: ArrivalRange, bind: Bind): string {
  return `seq > ${bind(BigInt(after))}`;
}

/** Binds the condition's values in the enclosing statement; it has no other question marks. */
function inlined({ sql, parameters }: Sql, bind: Bind): string {
  let index = 0;
  return sql.replaceAll('?', () => bind(parameters[index++] as Bound));
}
