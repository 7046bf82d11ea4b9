import type { ColumnType } from '../catalogue/catalogue.ts';
import type { Sql, Writer } from './dialect.ts';
import type { Value, Values } from './values.ts';

/** A result column: the SQL of each block, and its conversion to JSON after row selection. */
export interface Result {
  readonly sqls: readonly Sql[];
  json(column: Sql): Sql;
}

interface ResultContext {
  readonly writer: Writer;
  readonly values: Values;
  /** Rows are compared, so equal values need equal representations. */
  readonly compared: boolean;
}

export function resultOf(type: ColumnType, blockValues: readonly Value[], context: ResultContext): Result {
  const { writer, values } = context;
  const typed = blockValues.map((value) => values.converted(value, type));
  if (type === 'Json') return jsonOf(typed, context);
  if (type === 'Number') return numberOf(typed, context);
  const plain = typed.map((value) => values.sql(value));
  if (type === 'String') return { sqls: plain, json: (column) => writer.json.ofString(column) };
  return { sqls: plain, json: (column) => writer.json.ofString(writer.timestamps.string(column)) };
}

/** JSON null is returned like null, so extracted columns can be used. */
function jsonOf(blockValues: readonly Value[], { writer, values, compared }: ResultContext): Result {
  const extracted = blockValues.map((value) => (value.type === 'Json' ? value.extracted : undefined));
  const [first] = extracted;
  if (first && first.type !== 'Text' && extracted.every((each) => each?.type === first.type)) {
    const sqls = extracted.map((each) => each?.sql ?? writer.nullOf('Json'));
    if (first.type === 'String') return { sqls, json: (column) => writer.json.ofString(column) };
    return { sqls, json: (sql) => values.numbers.string({ form: 'integer', sql }) };
  }
  const sqls = blockValues.map((value) => (compared ? values.comparableJson(value) : values.sql(value)));
  return { sqls, json: (column) => column };
}

/** Unchanged if all blocks use the same form, else as a string. */
function numberOf(blockValues: readonly Value[], { values }: ResultContext): Result {
  const numbers = blockValues.map((value) => values.number(value));
  const [first] = numbers;
  const form = numbers.every((number) => number.form === first?.form) ? first?.form : undefined;
  if (form === 'integer' || (form === 'column' && numbers.length === 1)) {
    const json = (sql: Sql) => values.numbers.string({ form, sql });
    return { sqls: numbers.map(({ sql }) => sql), json };
  }
  return { sqls: numbers.map((number) => values.numbers.string(number)), json: (column) => column };
}
