import type { TelemetryDataset } from '../dataset.ts';
import { kindsOf, pathOf, sqlTypeOf, type TypedColumn, typedColumns } from './columns.ts';
import { quoted } from './engine.ts';
import { identifier } from './sql.ts';

/** Between records in one text: a character that JSON never has as it is. */
export const recordSeparator = '\x1e';

/** The table of a dataset: whose and when, typed columns for what is searched, and the record as it came. */
export function tableSql(dataset: TelemetryDataset, table: string): string {
  const columns = [
    'account varchar not null',
    'seq bigint not null',
    'n integer not null',
    't bigint not null',
    'e bigint',
    ...typedColumns(dataset).map((column) => `${identifier(column.name).sql} ${sqlTypeOf(column)}`),
    'odd boolean not null',
    'doc varchar not null',
  ];
  return `create table if not exists ${table} (${columns.join(', ')})`;
}

/**
 * Inserts the records of one text ($text) for an account ($account) as one batch ($seq). Each document is read twice, for
 * all values and for all kinds together. A number too large for its column makes the statement fail.
 */
export function insertSql(dataset: TelemetryDataset, table: string): string {
  const columns = typedColumns(dataset);
  const inner = columns.filter(({ isInner }) => isInner);
  const times = timesOf(dataset);
  const paths = [...times, ...columns.map(({ path }) => path)].map(quoted).join(', ');
  const kinds = inner.map(({ path }) => quoted(path)).join(', ');
  const place = new Map(inner.map((column, index) => [column, index + 1]));
  const values = columns.map((column, index) =>
    valueSql(column, times.length + index + 1, place.get(column)),
  );
  const odd = inner.map((column, index) => `not ${isOfKind(column, index + 1)}`);
  return `insert into ${table}
    with split as (select string_split($text, chr(${recordSeparator.charCodeAt(0)})) as docs),
    raw as (select unnest(docs) as doc, generate_subscripts(docs, 1) - 1 as n from split),
    seen as (select doc, n, json_extract_string(doc, [${paths}]) as v${
      inner.length > 0 ? `, json_type(doc, [${kinds}]) as k` : ''
    } from raw)
    select ${[
      '$account',
      '$seq',
      'n',
      momentSql('v[1]'),
      times.length > 1 ? momentSql('v[2]') : 'null',
      ...values,
      odd.length > 0 ? odd.join(' or ') : 'false',
      'doc',
    ].join(', ')} from seen`;
}

/** Paths of the moments that make up `t` and `e`; an instant has no end. */
function timesOf({ range }: TelemetryDataset): readonly string[] {
  if (range.by === 'instant') return [pathOf([range.member])];
  return [pathOf(['startTime']), pathOf(['endTime'])];
}

function valueSql(column: TypedColumn, place: number, kindPlace: number | undefined): string {
  const value = column.type === 'time' ? momentSql(`v[${place}]`) : `v[${place}]::${sqlTypeOf(column)}`;
  if (kindPlace === undefined) return value;
  const kind = `k[${kindPlace}] in (${kindsOf(column).map(quoted).join(', ')})`;
  return `case when ${kind} then ${value} end`;
}

function isOfKind(column: TypedColumn, place: number): string {
  return `(k[${place}] is null or k[${place}] in ('NULL', ${kindsOf(column).map(quoted).join(', ')}))`;
}

function momentSql(value: string): string {
  return `epoch_ms(${value}::timestamptz)`;
}
