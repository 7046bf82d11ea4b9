import type { TelemetryDataset } from '../../dataset.ts';
import { type HourSource, recordsPerBatch, type Source, type StoreSource } from '../../datasource.ts';
import { stepsOf } from '../../member-tree.ts';
import type { QueryColumn, Read } from '../../query-column.ts';
import { quoted } from '../engine/engine.ts';
import { pathOf, typedColumns } from '../sql/columns.ts';
import { identifier } from '../sql/sql.ts';

/** Whether rows may be mistyped (column `odd`): if none is, inner members are read from columns alone. */
export type Mistyped = 'some' | 'none';

/** When a batch was received, if its table is joined. */
export const receivedColumn = identifier('received with batch').sql;

const millisecondsPerHour = 3_600_000;

const storedSql: Record<StoreSource['stored'], string> = {
  record: 'doc',
  received: receivedColumn,
  batch: 'seq::varchar',
  number: `seq * ${recordsPerBatch} + n`,
};

/** The SQL of a query column in the dataset's table; for a pair, the value of the row's own record. */
export function columnSql(
  dataset: TelemetryDataset,
  { source, reads }: QueryColumn,
  mistyped: Mistyped,
): string {
  if (isStored(source)) return storedSql[source.stored];
  const values = reads.map((read) => readSql(dataset, read, mistyped));
  const value = values.length === 1 ? (values[0] as string) : `coalesce(${values.join(', ')})`;
  return isHour(source) ? hourSql(value, source.hour) : value;
}

export function isStored(source: Source): source is StoreSource {
  return typeof source === 'object' && 'stored' in source;
}

function isHour(source: Source): source is HourSource {
  return typeof source === 'object' && 'hour' in source;
}

/** Timestamps before 1970 are negative, and so is the remainder of a negative number. */
function hourSql(instant: string, side: HourSource['hour']): string {
  const start = `(${instant} - (${instant} % ${millisecondsPerHour} + ${millisecondsPerHour}) % ${millisecondsPerHour})`;
  return side === 'start' ? start : `${start} + ${millisecondsPerHour}`;
}

/** The SQL of a member; null in a record counts as absent. */
export function readSql(dataset: TelemetryDataset, read: Read, mistyped: Mistyped): string {
  const column = typedColumns(dataset).find(({ name }) => name === read.path);
  if (!column) {
    const [member = '', ...below] = read.path.split('.');
    const steps = below.length === 0 ? [member] : [member, ...stepsOf(below.join('.'))];
    return `nullif(json_extract(doc, ${quoted(pathOf(steps))})::varchar, 'null')`;
  }
  const typed = castSql(identifier(column.name).sql, read);
  if (!column.isInner || mistyped === 'none') return typed;
  const stringSql = `json_extract_string(doc, ${quoted(column.path)})`;
  return `case when odd then ${convertSql(stringSql, read)} else ${typed} end`;
}

function castSql(column: string, { cast }: Read): string {
  if (cast === 'text') return `${column}::varchar`;
  return cast === 'timestamp' ? timestampSql(column) : column;
}

/** Converts a value of another type than declared, as queries convert JSON; null if impossible. */
function convertSql(value: string, { type, cast }: Read): string {
  if (cast === 'timestamp' || type === 'time') return timestampSql(value);
  if (cast === 'text' || type === 'string') return value;
  return type === 'number' ? `try_cast(${value} as double)` : integerSql(value);
}

/** A cast alone would round 1.5. */
function integerSql(value: string): string {
  const double = `try_cast(${value} as double)`;
  return `case when regexp_full_match(${value}, '-?[0-9]+') then try_cast(${value} as bigint)
    when ${double} % 1 = 0 then try_cast(${double} as bigint) end`;
}

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const time = '[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?';
const zone = '(Z|[+-][0-9]{2}:[0-9]{2})';

/** RFC 3339 or epoch milliseconds. The engine would accept more, depending on its time zone. */
function timestampSql(value: string): string {
  return `case when regexp_full_match(${value}, '-?[0-9]{1,15}') then try_cast(${value} as bigint)
    when regexp_full_match(${value}, '${day}T${time}${zone}') then epoch_ms(try_cast(${value} as timestamptz)) end`;
}
