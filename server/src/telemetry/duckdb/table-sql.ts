import type { TelemetryDataset } from '../dataset.ts';
import { recordSeparator } from '../record-texts.ts';
import { kindsOf, pathOf, sqlTypeOf, type TypedColumn, typedColumns } from './columns.ts';
import { quoted } from './engine.ts';
import { identifier } from './sql.ts';

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

/** Inserts the records of one text ($text) for an account ($account) as one batch ($seq). */
export function insertSql(dataset: TelemetryDataset, table: string): string {
  return batchesSql(dataset, table, '$account as account, $seq as seq, $text as text');
}

/** The same for many batches: $accounts, $seqs and $texts are lists of as many. */
export function insertManySql(dataset: TelemetryDataset, table: string): string {
  const batches = 'unnest($accounts) as account, unnest($seqs) as seq, unnest($texts) as text';
  return batchesSql(dataset, table, batches);
}

function batchesSql(dataset: TelemetryDataset, table: string, batches: string): string {
  const docs = `string_split(text, chr(${recordSeparator.charCodeAt(0)}))`;
  const source = `select account, seq, unnest(docs) as doc, generate_subscripts(docs, 1) - 1 as n
    from (select account, seq, ${docs} as docs from (select ${batches}))`;
  return rowsSql(dataset, table, source);
}

/** Fills a table anew from the documents of one that was made for an earlier declaration of the dataset. */
export function refillSql(dataset: TelemetryDataset, table: string, earlier: string): string {
  return rowsSql(dataset, table, `select account, seq, doc, n from ${earlier}`);
}

/**
 * Inserts rows made from documents. Each is read twice, for all values and for all kinds together. A number too large for
 * its column makes the statement fail.
 */
function rowsSql(dataset: TelemetryDataset, table: string, source: string): string {
  const columns = typedColumns(dataset);
  const inner = columns.filter(({ isInner }) => isInner);
  const times = timesOf(dataset);
  const paths = [...times, ...columns.map(({ path }) => path)].map(quoted).join(', ');
  const kinds = inner.map(({ path }) => quoted(path)).join(', ');
  const place = new Map(inner.map((column, index) => [column, index + 1]));
  const values = columns.map((column, index) =>
    valueSql(column, times.length + index + 1, place.get(column)),
  );
  const odd = inner.map((column, index) =>
    oddSql(column, times.length + columns.indexOf(column) + 1, index + 1),
  );
  const read = [
    `json_extract_string(doc, [${paths}]) as v`,
    ...(inner.length > 0 ? [`json_type(doc, [${kinds}]) as k`] : []),
  ];
  const row = [
    ...['account', 'seq', 'n', momentSql('v[1]'), times.length > 1 ? momentSql('v[2]') : 'null'],
    ...values,
    ...[odd.length > 0 ? odd.join(' or ') : 'false', 'doc'],
  ];
  return `insert into ${table} with raw as (${source}), seen as (select *, ${read.join(', ')} from raw)
    select ${row.join(', ')} from seen`;
}

/** Paths of the moments that make up `t` and `e`; an instant has no end. */
function timesOf({ range }: TelemetryDataset): readonly string[] {
  if (range.by === 'instant') return [pathOf([range.member])];
  return [pathOf(['startTime']), pathOf(['endTime'])];
}

function valueSql(column: TypedColumn, place: number, kindPlace: number | undefined): string {
  if (kindPlace !== undefined)
    return `case when ${isOfKind(column, kindPlace)} then ${faithfulSql(column, place)} end`;
  return column.type === 'time' ? momentSql(`v[${place}]`) : `v[${place}]::${sqlTypeOf(column)}`;
}

/** Below an object nothing was checked: what the column can not hold exactly makes the record odd, not the batch fail. */
function faithfulSql(column: TypedColumn, place: number): string {
  const value = `v[${place}]`;
  if (column.type === 'time') return `epoch_ms(try_cast(${value} as timestamptz))`;
  const cast = `try_cast(${value} as ${sqlTypeOf(column)})`;
  if (column.type !== 'number') return cast;
  return `case when coalesce(abs(try_cast(${value} as hugeint)), 0) <= ${Number.MAX_SAFE_INTEGER} then ${cast} end`;
}

/** There is something that the column does not say. */
function oddSql(column: TypedColumn, place: number, kindPlace: number): string {
  const kind = `k[${kindPlace}]`;
  const isFaithful = `(${isOfKind(column, kindPlace)} and ${faithfulSql(column, place)} is not null)`;
  return `(${kind} is not null and ${kind} <> 'NULL' and not ${isFaithful})`;
}

function isOfKind(column: TypedColumn, place: number): string {
  return `k[${place}] in (${kindsOf(column).map(quoted).join(', ')})`;
}

function momentSql(value: string): string {
  return `epoch_ms(${value}::timestamptz)`;
}
