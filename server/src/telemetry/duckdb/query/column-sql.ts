import type { TelemetryDataset } from '../../dataset.ts';
import { type HourSource, numbersOfBatch, type Source, type StoreSource } from '../../datasource.ts';
import { stepsOf } from '../../member-tree.ts';
import type { QueryColumn, Read } from '../../query-column.ts';
import { quoted } from '../engine/engine.ts';
import { pathOf, typedColumns } from '../sql/columns.ts';
import { identifier } from '../sql/sql.ts';

/** What is known of the rows that are read: where none is odd, no document has to be looked into for an inner member. */
export type Odd = 'some' | 'none';

/** The moment at which a batch came in, where its table is joined. */
export const receivedColumn = identifier('received with batch').sql;

const hourLength = 3_600_000;

const storedSql: Record<StoreSource['stored'], string> = {
  record: 'doc',
  received: receivedColumn,
  batch: 'seq::varchar',
  number: `seq * ${numbersOfBatch} + n`,
};

/** What a column of the query language is in a row of the dataset's table; of a pair, what the row itself gives. */
export function columnSql(dataset: TelemetryDataset, { source, reads }: QueryColumn, odd: Odd): string {
  if (isStored(source)) return storedSql[source.stored];
  const values = reads.map((read) => readSql(dataset, read, odd));
  const value = values.length === 1 ? (values[0] as string) : `coalesce(${values.join(', ')})`;
  return isHour(source) ? hourSql(value, source.hour) : value;
}

export function isStored(source: Source): source is StoreSource {
  return typeof source === 'object' && 'stored' in source;
}

function isHour(source: Source): source is HourSource {
  return typeof source === 'object' && 'hour' in source;
}

/** Moments before 1970 are negative, and the remainder of a negative number is too. */
function hourSql(instant: string, side: HourSource['hour']): string {
  const start = `(${instant} - (${instant} % ${hourLength} + ${hourLength}) % ${hourLength})`;
  return side === 'start' ? start : `${start} + ${hourLength}`;
}

/** A member; null in a record is as good as absent. */
export function readSql(dataset: TelemetryDataset, read: Read, odd: Odd): string {
  const column = typedColumns(dataset).find(({ name }) => name === read.path);
  if (!column) {
    const [member = '', ...below] = read.path.split('.');
    const steps = below.length === 0 ? [member] : [member, ...stepsOf(below.join('.'))];
    return `nullif(json_extract(doc, ${quoted(pathOf(steps))})::varchar, 'null')`;
  }
  const typed = castSql(identifier(column.name).sql, read);
  if (!column.isInner || odd === 'none') return typed;
  const text = `json_extract_string(doc, ${quoted(column.path)})`;
  return `case when odd then ${convertSql(text, read)} else ${typed} end`;
}

function castSql(column: string, { cast }: Read): string {
  if (cast === 'text') return `${column}::varchar`;
  return cast === 'timestamp' ? timestampSql(column) : column;
}

/** What is there is of another kind than declared: it is converted as queries convert JSON, null where that can not be. */
function convertSql(text: string, { type, cast }: Read): string {
  if (cast === 'timestamp' || type === 'time') return timestampSql(text);
  if (cast === 'text' || type === 'string') return text;
  return type === 'number' ? `try_cast(${text} as double)` : wholeSql(text);
}

/** A cast alone would round 1.5 up. */
function wholeSql(text: string): string {
  const double = `try_cast(${text} as double)`;
  return `case when regexp_full_match(${text}, '-?[0-9]+') then try_cast(${text} as bigint)
    when ${double} % 1 = 0 then try_cast(${double} as bigint) end`;
}

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const time = '[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?';
const zone = '(Z|[+-][0-9]{2}:[0-9]{2})';

/** RFC 3339 or epoch milliseconds. The engine reads more than that as a moment, which would depend on its time zone. */
function timestampSql(text: string): string {
  return `case when regexp_full_match(${text}, '-?[0-9]{1,15}') then try_cast(${text} as bigint)
    when regexp_full_match(${text}, '${day}T${time}${zone}') then epoch_ms(try_cast(${text} as timestamptz)) end`;
}
