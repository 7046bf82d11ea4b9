import type { ColumnType } from '../catalogue/catalogue.ts';
import type { Sql, Writer } from './dialect.ts';
import type { Value, Values } from './values.ts';

/** A column of the result: what each block gives for it, and how that becomes JSON once the rows are chosen. */
export interface Result {
  readonly sqls: readonly Sql[];
  json(column: Sql): Sql;
}

interface Making {
  readonly writer: Writer;
  readonly values: Values;
  /** Whether rows are compared, so that what is equal has to look equal. */
  readonly compared: boolean;
}

export function resultOf(type: ColumnType, given: readonly Value[], making: Making): Result {
  const { writer, values } = making;
  const typed = given.map((value) => values.converted(value, type));
  if (type === 'Json') return jsonOf(typed, making);
  if (type === 'Number') return numberOf(typed, making);
  const plain = typed.map((value) => values.sql(value));
  if (type === 'String') return { sqls: plain, json: (column) => writer.json.ofText(column) };
  return { sqls: plain, json: (column) => writer.json.ofText(writer.moments.text(column)) };
}

/** A null of JSON is shown like nothing at all, so what tables have apart may stand for it. */
function jsonOf(given: readonly Value[], { writer, values, compared }: Making): Result {
  const held = given.map((value) => (value.type === 'Json' ? value.held : undefined));
  const [first] = held;
  if (first && first.apart !== 'Text' && held.every((each) => each?.apart === first.apart)) {
    const sqls = held.map((each) => each?.sql ?? writer.nothing('Json'));
    if (first.apart === 'String') return { sqls, json: (column) => writer.json.ofText(column) };
    return { sqls, json: (sql) => values.numbers.text({ form: 'whole', sql }) };
  }
  const sqls = given.map((value) => (compared ? values.alikeJson(value) : values.sql(value)));
  return { sqls, json: (column) => column };
}

/** As it is where all blocks hold it alike, else as text. */
function numberOf(given: readonly Value[], { values }: Making): Result {
  const numbers = given.map((value) => values.number(value));
  const [first] = numbers;
  const form = numbers.every((number) => number.form === first?.form) ? first?.form : undefined;
  if (form === 'whole' || (form === 'column' && numbers.length === 1)) {
    const json = (sql: Sql) => values.numbers.text({ form, sql });
    return { sqls: numbers.map(({ sql }) => sql), json };
  }
  return { sqls: numbers.map((number) => values.numbers.text(number)), json: (column) => column };
}
