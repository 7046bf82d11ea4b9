import type { Type } from '../catalogue/catalogue.ts';
import type { FunctionName } from '../catalogue/functions.ts';
import type { PatternOperator } from '../syntax/tree.ts';
import type { ComposedFunction } from './composed.ts';
import type { Bind, Bound } from './tables.ts';

/** A piece of a statement. It holds no text of a query: that is bound. */
export type Sql = string;

/** What is known while one statement is written. */
export interface Statement {
  readonly bind: Bind;
  /** A name that nothing else in the statement has. */
  fresh(prefix: string): string;
}

/** Everything in which engines differ. What the language means is not here. */
export interface Dialect {
  /** The place of a parameter, with its type. */
  parameter(place: number, value: Bound): Sql;
  writer(statement: Statement): Writer;
}

export interface Writer {
  quoted(name: string): Sql;
  /** A null of this type. */
  nothing(type: Exclude<Type, 'Null'>): Sql;
  /** The body reads each value as often as it likes, and the engine computes it once. */
  once(values: readonly Sql[], body: (...names: Sql[]) => Sql): Sql;
  /** Texts one after the other; null if one is. */
  concatenated(texts: readonly Sql[]): Sql;
  /** Whether the pattern fits the whole text. A pattern that can not be read gives null. */
  matches(operator: PatternOperator, text: Sql, pattern: Pattern): Sql;
  readonly json: JsonWriter;
  readonly numbers: NumberWriter;
  readonly moments: MomentWriter;
  readonly functions: Readonly<Record<Exclude<FunctionName, ComposedFunction>, (...values: Sql[]) => Sql>>;
  /** True or false by the word, in any case; else null. */
  booleanOfText(text: Sql): Sql;
  textOfBoolean(value: Sql): Sql;
  /**
   * Whether the query has a row of these values. Its columns are k0, k1 and so on, and its nulls equal nothing. Where a null among the values has to give null, and
   * not merely anything but true, `unknown` is set.
   */
  within(values: readonly Sql[], query: Sql, unknown: boolean): Sql;
  /** What stands after FROM to have a row for each item, with those columns of the rows so far that are kept. */
  expanded(expansion: ExpansionSql): Sql;
  /** A JSON object as text: labels are given with their punctuation, values are JSON texts or null. */
  row(members: readonly { readonly label: Sql; readonly value: Sql }[]): Sql;
}

/** SQL, or a constant that is known before the statement runs. */
export type Pattern = { readonly sql: Sql } | { readonly constant: string };

export interface ExpansionSql {
  readonly from: Sql;
  readonly alias: string;
  readonly kept: readonly { readonly sql: Sql; readonly as: string }[];
  readonly items: Sql;
  readonly item: string;
  /** A row without an item where there are none. */
  readonly outer: boolean;
}

/** Json is held as JSON text, and a null of JSON is not null. Without keys the value itself is meant. */
export interface JsonWriter {
  at(json: Sql, keys: readonly string[]): Sql;
  /** Null for a null of JSON. */
  text(json: Sql, keys: readonly string[]): Sql;
  /** The items of a list; none of anything else. */
  items(json: Sql, keys: readonly string[]): Sql;
  /** Of a value, and null where there is none. */
  is(kind: 'list' | 'object' | 'number' | 'null', json: Sql, keys: readonly string[]): Sql;
  length(list: Sql): Sql;
  someItem(items: Sql, values: readonly Sql[], test: (item: Sql, values: readonly Sql[]) => Sql): Sql;
  ofText(text: Sql): Sql;
  /** Reads JSON; null if it is none. */
  parsed(text: Sql): Sql;
  /** Without blanks, so that equal values have equal texts. */
  compact(json: Sql, keys: readonly string[]): Sql;
}

export type ArithmeticSign = '+' | '-' | '*' | '/' | '%';

/** See numbers.ts for the forms. What overflows is null. */
export interface NumberWriter {
  realOf(number: Sql): Sql;
  /** The whole part of a number in any form but mixed. */
  truncated(number: Sql): Sql;
  mixed(whole: Sql, real: Sql): Sql;
  wholePart(mixed: Sql): Sql;
  realPart(mixed: Sql): Sql;
  /** A mixed number of what a column has, of which only the engine knows whether it is whole. */
  mixedOfColumn(column: Sql): Sql;
  mixedOfText(text: Sql): Sql;
  realOfText(text: Sql): Sql;
  readonly zero: Sql;
  /** Two whole numbers, only in what `exact` is made of: it may overflow. */
  whole(sign: ArithmeticSign, left: Sql, right: Sql): Sql;
  /** What whole numbers give, or null where that is none. */
  exact(numbers: readonly Sql[], body: (names: readonly Sql[]) => Sql): Sql;
  /** Two reals, only in what is made finite. */
  real(sign: ArithmeticSign, left: Sql, right: Sql): Sql;
  /** Null for what is no number. A whole one is always one. */
  finite(number: Sql): Sql;
  absolute(number: Sql): Sql;
  rounded(real: Sql): Sql;
  textOfWhole(number: Sql): Sql;
  textOfReal(number: Sql): Sql;
  textOfColumn(number: Sql): Sql;
}

/** Moments are whole milliseconds. Outside of the years 1 to 9999 there are none: what leads there is null. */
export interface MomentWriter {
  ofSeconds(whole: Sql): Sql;
  ofRealSeconds(real: Sql): Sql;
  ofMilliseconds(whole: Sql): Sql;
  ofText(text: Sql): Sql;
  text(moment: Sql): Sql;
}
