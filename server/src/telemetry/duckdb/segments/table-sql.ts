import { BIGINT, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { TelemetryDataset } from '../../dataset.ts';
import { recordSeparator } from '../../record-strings.ts';
import { quoted } from '../engine/engine.ts';
import { kindsOf, pathOf, sqlTypeOf, type TypedColumn, typedColumns } from '../sql/columns.ts';
import { identifier } from '../sql/sql.ts';
import type { Segment } from './segment.ts';
import { wellTypedRowsSql } from './well-typed-rows-sql.ts';

/**
 * The table of a dataset: account and time, typed columns for searches, and the record as received. Reading
 * documents dominates the cost of a page, so they are compressed only in rarely searched segments.
 */
export function createTableSql(segment: Segment, dataset: TelemetryDataset): string {
  const compression = segment.file.form === 'cold' ? 'zstd' : 'uncompressed';
  const columns = [
    'account varchar not null',
    'seq bigint not null',
    'n integer not null',
    't bigint not null',
    'e bigint',
    ...typedColumns(dataset).map((column) => `${identifier(column.name).sql} ${sqlTypeOf(column)}`),
    'odd boolean not null',
    `doc varchar not null using compression ${compression}`,
  ];
  return `create table if not exists ${segment.table(dataset.path)} (${columns.join(', ')})`;
}

/** Parameters of the statements below. */
export function batchParameters(
  batches: readonly { readonly account: string; readonly seq: number; readonly joinedRecords: string }[],
) {
  return {
    values: {
      accounts: listValue(batches.map(({ account }) => account)),
      seqs: listValue(batches.map(({ seq }) => BigInt(seq))),
      joined: listValue(batches.map(({ joinedRecords }) => joinedRecords)),
    },
    types: { accounts: LIST(VARCHAR), seqs: LIST(BIGINT), joined: LIST(VARCHAR) },
  };
}

export function insertSql(dataset: TelemetryDataset, table: string, isWellTyped: boolean): string {
  return `insert into ${table} ${(isWellTyped ? wellTypedRowsSql : rowsSql)(dataset, batchesSql)}`;
}

/**
 * Inserts records of one account ($account), except those already stored or duplicated within the batches: same
 * identity and same timestamp, which is $since or later.
 */
export function insertNewSql(dataset: TelemetryDataset, table: string): string {
  const list = (names: readonly string[]) => names.map((name) => identifier(name).sql).join(', ');
  const names = list([
    ...['account', 'seq', 'n', 't', 'e'],
    ...typedColumns(dataset).map(({ name }) => name),
    ...['odd', 'doc'],
  ]);
  const identity = list(['t', ...dataset.identity]);
  return `insert into ${table} select distinct on (${identity}) * from (${rowsSql(dataset, batchesSql)}) fresh(${names})
    anti join (from ${table} where account = $account and t >= $since) using (${identity}) order by seq, n desc`;
}

/**
 * Inserts records of a backup, possibly validated against an earlier declaration: a value that its column can not
 * hold becomes null, as in rebuilt tables.
 */
export function insertRestoredSql(dataset: TelemetryDataset, table: string): string {
  return `insert into ${table} ${rowsSql(dataset, batchesSql, 'try_cast')}`;
}

/** Last record first, as in results: pages of recent records then need little sorting. */
const batchesSql = `select account, seq, unnest(list_reverse(docs)) as doc, len(docs) - generate_subscripts(docs, 1) as n
  from (select account, seq, string_split(joined, chr(${recordSeparator.charCodeAt(0)})) as docs
    from (select unnest($accounts) as account, unnest($seqs) as seq, unnest($joined) as joined))`;

/**
 * Fills a table from the documents of one with an earlier declaration. Members undeclared then were not validated:
 * values that do not fit become null.
 */
export function refillSql(dataset: TelemetryDataset, table: string, earlier: string): string {
  return `insert into ${table} ${rowsSql(dataset, `select account, seq, doc, n from ${earlier}`, 'try_cast')}`;
}

type Cast = 'cast' | 'try_cast';

/**
 * Rows built from documents. Each document is parsed twice, for all values and for all types. With `cast`, a number
 * out of range makes the statement fail.
 */
function rowsSql(dataset: TelemetryDataset, source: string, cast: Cast = 'cast'): string {
  const columns = typedColumns(dataset);
  const inner = columns.filter(({ isInner }) => isInner);
  const times = timesOf(dataset);
  const paths = [...times, ...columns.map(({ path }) => path)].map(quoted).join(', ');
  const kinds = inner.map(({ path }) => quoted(path)).join(', ');
  const kindIndexes = new Map(inner.map((column, index) => [column, index + 1]));
  const values = columns.map((column, index) =>
    valueSql(column, times.length + index + 1, kindIndexes.get(column), cast),
  );
  const mistyped = inner.map((column, index) =>
    mistypedSql(column, times.length + columns.indexOf(column) + 1, index + 1),
  );
  const read = [
    `json_extract_string(doc, [${paths}]) as v`,
    ...(inner.length > 0 ? [`json_type(doc, [${kinds}]) as k`] : []),
  ];
  const row = [
    ...['account', 'seq', 'n'],
    ...[timestampSql('v[1]', 'cast'), times.length > 1 ? timestampSql('v[2]', 'cast') : 'null'],
    ...values,
    ...[mistyped.length > 0 ? mistyped.join(' or ') : 'false', 'doc'],
  ];
  return `with raw as (${source}), seen as (select *, ${read.join(', ')} from raw)
    select ${row.join(', ')} from seen`;
}

/** Paths of the timestamps for `t` and `e`; an instant has no end. */
function timesOf({ range }: TelemetryDataset): readonly string[] {
  if (range.by === 'instant') return [pathOf([range.member])];
  return [pathOf(['startTime']), pathOf(['endTime'])];
}

function valueSql(column: TypedColumn, index: number, kindIndex: number | undefined, cast: Cast): string {
  if (kindIndex !== undefined)
    return `case when ${isOfKind(column, kindIndex)} then ${exactSql(column, index)} end`;
  const value = `v[${index}]`;
  return column.type === 'time' ? timestampSql(value, cast) : `${cast}(${value} as ${sqlTypeOf(column)})`;
}

/**
 * Inner members are not validated: a value that the column can not hold exactly marks the record as mistyped
 * instead of failing the batch.
 */
function exactSql(column: TypedColumn, index: number): string {
  const value = `v[${index}]`;
  if (column.type === 'time') return timestampSql(value, 'try_cast');
  const cast = `try_cast(${value} as ${sqlTypeOf(column)})`;
  if (column.type !== 'number') return cast;
  return `case when coalesce(abs(try_cast(${value} as hugeint)), 0) <= ${Number.MAX_SAFE_INTEGER} then ${cast} end`;
}

/** A value that the column does not hold. */
function mistypedSql(column: TypedColumn, index: number, kindIndex: number): string {
  const kind = `k[${kindIndex}]`;
  const isExact = `(${isOfKind(column, kindIndex)} and ${exactSql(column, index)} is not null)`;
  return `(${kind} is not null and ${kind} <> 'NULL' and not ${isExact})`;
}

function isOfKind(column: TypedColumn, kindIndex: number): string {
  return `k[${kindIndex}] in (${kindsOf(column).map(quoted).join(', ')})`;
}

function timestampSql(value: string, cast: Cast): string {
  return `epoch_ms(${cast}(${value} as timestamptz))`;
}
