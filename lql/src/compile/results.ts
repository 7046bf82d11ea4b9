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
  const { writer, values, compared } = making;
  const typed = given.map((value) => values.converted(value, type));
  const plain = typed.map((value) => values.sql(value));
  switch (type) {
    case 'String':
      return { sqls: plain, json: (column) => writer.json.ofText(column) };
    case 'Timestamp':
      return { sqls: plain, json: (column) => writer.json.ofText(writer.moments.text(column)) };
    case 'Json': {
      const sqls = compared ? plain.map((sql) => `nullif(${writer.json.compact(sql)}, 'null')`) : plain;
      return { sqls, json: (column) => column };
    }
    case 'Number':
      return numberOf(typed, making);
  }
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
