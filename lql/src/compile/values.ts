import type { Type } from '../catalogue/catalogue.ts';
import type { CheckedConstant, CheckedExpression } from '../check/checked.ts';
import type { ComparisonOperator } from '../syntax/tree.ts';
import type { Sql, Writer } from './dialect.ts';
import { Numbers, type Numeric } from './numbers.ts';
import type { Bind, ExtractedType } from './tables.ts';

/** Separate column of a JSON path, usable if JSON null and a missing value are equivalent. */
export interface ExtractedPath {
  readonly type: ExtractedType;
  readonly sql: Sql;
}

/** An expression as SQL. Json may have keys still to be extracted: engines combine this with conversions. */
export type Value =
  | { readonly type: 'Number'; readonly number: Numeric }
  | {
      readonly type: 'Json';
      readonly sql: Sql;
      readonly keys: readonly string[];
      readonly extracted?: ExtractedPath | undefined;
    }
  | {
      readonly type: 'String';
      readonly sql: Sql /** The integer that the string represents. */;
      readonly integer?: Sql;
    }
  | { readonly type: 'Timestamp' | 'Boolean'; readonly sql: Sql }
  | { readonly type: 'Null' };

type Target = Exclude<Type, 'Null'>;

/** SQL values and conversions between types. */
export class Values {
  readonly numbers: Numbers;

  private readonly writer: Writer;
  private readonly bind: Bind;

  constructor(writer: Writer, bind: Bind) {
    this.writer = writer;
    this.bind = bind;
    this.numbers = new Numbers(writer);
  }

  constant({ type, value }: CheckedConstant): Value {
    if (value === null || type === 'Null') return { type: 'Null' };
    if (type === 'Number') return { type, number: this.numbers.constant(String(value), this.bind) };
    if (type === 'Boolean') return { type, sql: value ? 'true' : 'false' };
    if (type === 'String') return { type, sql: this.bind(String(value)) };
    return this.converted({ type: 'String', sql: this.bind(String(value)) }, type);
  }

  ofColumn(type: Target, sql: Sql): Value {
    if (type === 'Number') return { type, number: { sql, form: 'column' } };
    if (type === 'Json') return { type, sql, keys: [] };
    return { type, sql };
  }

  nullOf(type: Target): Value {
    const sql = this.writer.nullOf(type);
    if (type === 'Number') return { type, number: { sql, form: 'integer' } };
    if (type === 'Json') return { type, sql, keys: [] };
    return { type, sql };
  }

  /** A number keeps its form. */
  sql(value: Value): Sql {
    if (value.type === 'Null') return 'null';
    if (value.type === 'Number') return value.number.sql;
    if (value.type === 'Json') return this.json(value);
    return value.sql;
  }

  string(value: Value): Sql {
    return this.sql(this.converted(value, 'String'));
  }

  number(value: Value): Numeric {
    const converted = this.converted(value, 'Number');
    if (converted.type !== 'Number') throw new Error('Not a number.');
    return converted.number;
  }

  isNull(value: Value): Sql {
    return value.type === 'Number' ? this.numbers.isNull(value.number) : `${this.sql(value)} is null`;
  }

  compared(operator: ComparisonOperator, left: Value, right: Value): Sql {
    if (left.type === 'Number' && right.type === 'Number')
      return this.numbers.compared(operator, left.number, right.number);
    if (left.type === 'Json' || right.type === 'Json')
      return `${this.string(left)} ${operator} ${this.string(right)}`;
    return `${this.sql(left)} ${operator} ${this.sql(right)}`;
  }

  /** Join keys: equal if and only if the values are. */
  keys(one: Value, other: Value): readonly [Sql, Sql] {
    const [left, right] = [this.extractedNumber(one, other), this.extractedNumber(other, one)];
    if (left.type === 'String' && right.type === 'String' && left.integer && right.integer)
      return [left.integer, right.integer];
    if (left.type === 'Number' && right.type === 'Number')
      return this.numbers.keys(left.number, right.number);
    if (left.type === 'Json' || left.type !== right.type) return [this.string(left), this.string(right)];
    return [this.sql(left), this.sql(right)];
  }

  /** Converts values to one type, as the branches of one expression need. */
  unified(type: Type, values: readonly Value[], body: (values: readonly Sql[]) => Sql): Value {
    if (type === 'Null') return { type };
    const typed = values.map((value) => this.converted(value, type));
    if (type !== 'Number') return this.ofColumn(type, body(typed.map((value) => this.sql(value))));
    const known = typed.filter((_, at) => values[at]?.type !== 'Null').map((value) => this.number(value));
    const { form, values: numbers } = this.numbers.unified(known);
    const rest = numbers.values();
    const nullValue = form === 'mixed' ? 'null' : this.writer.nullOf('Number');
    const all = values.map((value) => (value.type === 'Null' ? nullValue : (rest.next().value ?? nullValue)));
    return { type, number: { form, sql: body(all) } };
  }

  converted(value: Value, to: Target): Value {
    if (value.type === to) return value;
    if (value.type === 'Null') return this.nullOf(to);
    if (to === 'Json') return { type: to, sql: this.jsonOf(value), keys: [] };
    if (value.type === 'Json') return this.ofJson(value, to);
    if (value.type === 'String') return this.ofString(value.sql, to);
    if (value.type === 'Number') return this.ofNumber(value.number, to);
    if (to !== 'String') return this.nullOf(to);
    const { timestamps, stringOfBoolean } = this.writer;
    return {
      type: to,
      sql: value.type === 'Timestamp' ? timestamps.string(value.sql) : stringOfBoolean(value.sql),
    };
  }

  /** Equal if and only if the values are; null for JSON null. */
  comparableJson(value: Value): Sql {
    if (value.type !== 'Json') return this.sql(value);
    return `nullif(${this.writer.json.compact(value.sql, value.keys)}, 'null')`;
  }

  /** Compares integers as numbers. */
  private extractedNumber(value: Value, other: Value): Value {
    if (value.type !== 'Json' || value.extracted?.type !== 'Number') return value;
    if (other.type !== 'Number' && !(other.type === 'Json' && other.extracted?.type === 'Number'))
      return value;
    return this.converted(value, 'Number');
  }

  private json({ sql, keys }: Extract<Value, { type: 'Json' }>): Sql {
    return keys.length === 0 ? sql : this.writer.json.at(sql, keys);
  }

  private jsonOf(value: Value): Sql {
    if (value.type === 'Number') return this.numbers.string(value.number);
    if (value.type === 'Boolean') return this.writer.stringOfBoolean(value.sql);
    return this.writer.json.ofString(this.string(value));
  }

  private ofJson(value: Extract<Value, { type: 'Json' }>, to: Target): Value {
    const { json, once } = this.writer;
    const { extracted } = value;
    if (extracted?.type === 'String' || (extracted?.type === 'Text' && to !== 'Timestamp'))
      return this.ofString(extracted.sql, to);
    if (extracted?.type === 'Number') {
      const number = { form: 'integer', sql: extracted.sql } as const;
      if (to === 'Number') return { type: to, number };
      if (to === 'String') return { type: to, sql: this.numbers.string(number), integer: extracted.sql };
      return to === 'Boolean' ? this.ofString(this.numbers.string(number), to) : this.ofNumber(number, to);
    }
    if (to !== 'Timestamp') return this.ofString(json.string(value.sql, value.keys), to);
    const sql = once([this.json(value)], (name) => {
      const string = json.string(name, []);
      const [ofNumber, ofString] = [
        this.ofNumber(this.numbers.ofString(string), to),
        this.ofString(string, to),
      ];
      return `case when ${json.is('number', name, [])} then ${this.sql(ofNumber)} else ${this.sql(ofString)} end`;
    });
    return { type: to, sql };
  }

  private ofString(sql: Sql, to: Target): Value {
    if (to === 'Number') return { type: to, number: this.numbers.ofString(sql) };
    if (to === 'Boolean') return { type: to, sql: this.writer.booleanOfString(sql) };
    if (to === 'Timestamp') return { type: to, sql: this.writer.timestamps.ofString(sql) };
    if (to === 'Json') return { type: to, sql: this.writer.json.ofString(sql), keys: [] };
    return { type: to, sql };
  }

  private ofNumber(number: Numeric, to: Target): Value {
    if (to === 'String') return { type: to, sql: this.numbers.string(number) };
    if (to === 'Boolean') return { type: to, sql: `(${this.numbers.double(number)} <> 0)` };
    if (to === 'Timestamp') return { type: to, sql: this.timestampOf(number) };
    return this.nullOf(to);
  }

  private timestampOf(number: Numeric): Sql {
    const { timestamps, numbers, once } = this.writer;
    if (number.form === 'integer') return timestamps.ofSeconds(number.sql);
    if (number.form === 'double') return timestamps.ofDoubleSeconds(number.sql);
    return once([this.numbers.mixed(number)], (mixed) => {
      const integer = numbers.integerPart(mixed);
      return `case when ${integer} is null then ${timestamps.ofDoubleSeconds(numbers.doublePart(mixed))} else ${timestamps.ofSeconds(integer)} end`;
    });
  }
}

/** The value of a string constant. */
export function constantString(value: CheckedExpression): string | undefined {
  return value.kind === 'constant' && value.type === 'String' && value.value !== null
    ? String(value.value)
    : undefined;
}
