import type { Type } from '../catalogue/catalogue.ts';
import type { Checked, Constant } from '../check/checked.ts';
import type { ComparisonOperator } from '../syntax/tree.ts';
import type { Sql, Writer } from './dialect.ts';
import { Numbers, type Numeric } from './numbers.ts';
import type { Apart, Bind } from './tables.ts';

/** What the tables have apart of Json, for what need not know a null of JSON from nothing at all. */
export interface Held {
  readonly apart: Apart;
  readonly sql: Sql;
}

/** An expression as SQL. Json may be a value and keys that are still to follow: engines do both at once. */
export type Value =
  | { readonly type: 'Number'; readonly number: Numeric }
  | {
      readonly type: 'Json';
      readonly sql: Sql;
      readonly keys: readonly string[];
      readonly held?: Held | undefined;
    }
  | {
      readonly type: 'String';
      readonly sql: Sql /** The whole number whose text it is. */;
      readonly whole?: Sql;
    }
  | { readonly type: 'Timestamp' | 'Boolean'; readonly sql: Sql }
  | { readonly type: 'Null' };

type Target = Exclude<Type, 'Null'>;

/** What values are in SQL, and how one type becomes another. */
export class Values {
  readonly numbers: Numbers;

  private readonly writer: Writer;
  private readonly bind: Bind;

  constructor(writer: Writer, bind: Bind) {
    this.writer = writer;
    this.bind = bind;
    this.numbers = new Numbers(writer);
  }

  constant({ type, value }: Constant): Value {
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

  nothing(type: Target): Value {
    const sql = this.writer.nothing(type);
    if (type === 'Number') return { type, number: { sql, form: 'whole' } };
    if (type === 'Json') return { type, sql, keys: [] };
    return { type, sql };
  }

  /** As one expression of the type; of a number in whichever form it has. */
  sql(value: Value): Sql {
    if (value.type === 'Null') return 'null';
    if (value.type === 'Number') return value.number.sql;
    if (value.type === 'Json') return this.json(value);
    return value.sql;
  }

  /** A text, for what takes only texts. */
  text(value: Value): Sql {
    return this.sql(this.converted(value, 'String'));
  }

  number(value: Value): Numeric {
    const converted = this.converted(value, 'Number');
    if (converted.type !== 'Number') throw new Error('This is no number.');
    return converted.number;
  }

  isNull(value: Value): Sql {
    return value.type === 'Number' ? this.numbers.isNull(value.number) : `${this.sql(value)} is null`;
  }

  compared(operator: ComparisonOperator, left: Value, right: Value): Sql {
    if (left.type === 'Number' && right.type === 'Number')
      return this.numbers.compared(operator, left.number, right.number);
    if (left.type === 'Json' || right.type === 'Json')
      return `${this.text(left)} ${operator} ${this.text(right)}`;
    return `${this.sql(left)} ${operator} ${this.sql(right)}`;
  }

  /** Expressions that are equal when the values are, for joins. */
  keys(given: Value, other: Value): readonly [Sql, Sql] {
    const [left, right] = [this.heldNumber(given, other), this.heldNumber(other, given)];
    if (left.type === 'String' && right.type === 'String' && left.whole && right.whole)
      return [left.whole, right.whole];
    if (left.type === 'Number' && right.type === 'Number')
      return this.numbers.keys(left.number, right.number);
    if (left.type === 'Json' || left.type !== right.type) return [this.text(left), this.text(right)];
    return [this.sql(left), this.sql(right)];
  }

  /** Values of a type that one expression may give any of. */
  alike(type: Type, values: readonly Value[], body: (values: readonly Sql[]) => Sql): Value {
    if (type === 'Null') return { type };
    const typed = values.map((value) => this.converted(value, type));
    if (type !== 'Number') return this.ofColumn(type, body(typed.map((value) => this.sql(value))));
    const known = typed.filter((_, at) => values[at]?.type !== 'Null').map((value) => this.number(value));
    const { form, values: numbers } = this.numbers.alike(known);
    const rest = numbers.values();
    const nothing = form === 'mixed' ? 'null' : this.writer.nothing('Number');
    const all = values.map((value) => (value.type === 'Null' ? nothing : (rest.next().value ?? nothing)));
    return { type, number: { form, sql: body(all) } };
  }

  converted(value: Value, to: Target): Value {
    if (value.type === to) return value;
    if (value.type === 'Null') return this.nothing(to);
    if (to === 'Json') return { type: to, sql: this.jsonOf(value), keys: [] };
    if (value.type === 'Json') return this.ofJson(value, to);
    if (value.type === 'String') return this.ofText(value.sql, to);
    if (value.type === 'Number') return this.ofNumber(value.number, to);
    if (to !== 'String') return this.nothing(to);
    const { moments, textOfBoolean } = this.writer;
    return { type: to, sql: value.type === 'Timestamp' ? moments.text(value.sql) : textOfBoolean(value.sql) };
  }

  /** Expressions that are equal when the values are, and null for a null of JSON. */
  alikeJson(value: Value): Sql {
    if (value.type !== 'Json') return this.sql(value);
    return `nullif(${this.writer.json.compact(value.sql, value.keys)}, 'null')`;
  }

  /** Whole numbers have equal texts when they are equal. */
  private heldNumber(value: Value, other: Value): Value {
    if (value.type !== 'Json' || value.held?.apart !== 'Number') return value;
    if (other.type !== 'Number' && !(other.type === 'Json' && other.held?.apart === 'Number')) return value;
    return this.converted(value, 'Number');
  }

  private json({ sql, keys }: Extract<Value, { type: 'Json' }>): Sql {
    return keys.length === 0 ? sql : this.writer.json.at(sql, keys);
  }

  private jsonOf(value: Value): Sql {
    if (value.type === 'Number') return this.numbers.text(value.number);
    if (value.type === 'Boolean') return this.writer.textOfBoolean(value.sql);
    return this.writer.json.ofText(this.text(value));
  }

  private ofJson(value: Extract<Value, { type: 'Json' }>, to: Target): Value {
    const { json, once } = this.writer;
    const { held } = value;
    if (held?.apart === 'String' || (held?.apart === 'Text' && to !== 'Timestamp'))
      return this.ofText(held.sql, to);
    if (held?.apart === 'Number') {
      const number = { form: 'whole', sql: held.sql } as const;
      if (to === 'Number') return { type: to, number };
      if (to === 'String') return { type: to, sql: this.numbers.text(number), whole: held.sql };
      return to === 'Boolean' ? this.ofText(this.numbers.text(number), to) : this.ofNumber(number, to);
    }
    if (to !== 'Timestamp') return this.ofText(json.text(value.sql, value.keys), to);
    const sql = once([this.json(value)], (name) => {
      const text = json.text(name, []);
      const [ofNumber, ofText] = [this.ofNumber(this.numbers.ofText(text), to), this.ofText(text, to)];
      return `case when ${json.is('number', name, [])} then ${this.sql(ofNumber)} else ${this.sql(ofText)} end`;
    });
    return { type: to, sql };
  }

  private ofText(sql: Sql, to: Target): Value {
    if (to === 'Number') return { type: to, number: this.numbers.ofText(sql) };
    if (to === 'Boolean') return { type: to, sql: this.writer.booleanOfText(sql) };
    if (to === 'Timestamp') return { type: to, sql: this.writer.moments.ofText(sql) };
    if (to === 'Json') return { type: to, sql: this.writer.json.ofText(sql), keys: [] };
    return { type: to, sql };
  }

  private ofNumber(number: Numeric, to: Target): Value {
    if (to === 'String') return { type: to, sql: this.numbers.text(number) };
    if (to === 'Boolean') return { type: to, sql: `(${this.numbers.real(number)} <> 0)` };
    if (to === 'Timestamp') return { type: to, sql: this.momentOf(number) };
    return this.nothing(to);
  }

  private momentOf(number: Numeric): Sql {
    const { moments, numbers, once } = this.writer;
    if (number.form === 'whole') return moments.ofSeconds(number.sql);
    if (number.form === 'real') return moments.ofRealSeconds(number.sql);
    return once([this.numbers.mixed(number)], (mixed) => {
      const whole = numbers.wholePart(mixed);
      return `case when ${whole} is null then ${moments.ofRealSeconds(numbers.realPart(mixed))} else ${moments.ofSeconds(whole)} end`;
    });
  }
}

/** The text of a constant, where an expression is one. */
export function constantText(value: Checked): string | undefined {
  return value.kind === 'constant' && value.type === 'String' && value.value !== null
    ? String(value.value)
    : undefined;
}
