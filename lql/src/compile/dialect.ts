import type { Type } from '../catalogue/catalogue.ts';
import type { FunctionName } from '../catalogue/functions.ts';
import type { PatternOperator } from '../syntax/tree.ts';
import type { ComposedFunction } from './composed.ts';
import type { Bind, Bound } from './tables.ts';

/** A fragment of a statement. It never contains query literals: those are bound. */
export type Sql = string;

export interface Statement {
  readonly bind: Bind;
  /** A unique name in the statement. */
  freshName(prefix: string): string;
}

/** Engine specifics. The semantics of LQL are defined elsewhere. */
export interface Dialect {
  /** Typed placeholder of a parameter. */
  parameter(index: number, value: Bound): Sql;
  writer(statement: Statement): Writer;
}

export interface Writer {
  quoted(name: string): Sql;
  /** Typed null. */
  nullOf(type: Exclude<Type, 'Null'>): Sql;
  /** Binds values to names that the body can use repeatedly; the engine computes each once. */
  once(values: readonly Sql[], body: (...names: Sql[]) => Sql): Sql;
  /** Null if one operand is null. */
  concatenated(operands: readonly Sql[]): Sql;
  /** Whether the pattern matches the whole string; null for an invalid pattern. */
  matches(operator: PatternOperator, string: Sql, pattern: Pattern): Sql;
  readonly json: JsonWriter;
  readonly numbers: NumberWriter;
  readonly timestamps: TimestampWriter;
  readonly functions: Readonly<Record<Exclude<FunctionName, ComposedFunction>, (...values: Sql[]) => Sql>>;
  /** Case-insensitive `true` or `false`; else null. */
  booleanOfString(string: Sql): Sql;
  stringOfBoolean(value: Sql): Sql;
  /**
   * Whether the query has a row of these values. Its columns are k0, k1 and so on, and its nulls equal nothing. With
   * `unknown`, a null among the values must give null instead of false.
   */
  inSubquery(values: readonly Sql[], query: Sql, unknown: boolean): Sql;
  /** FROM clause with a row per array item and the kept columns. */
  expanded(expansion: ExpansionSql): Sql;
  /** A serialized JSON object: labels include their punctuation, values are JSON or null. */
  row(members: readonly { readonly label: Sql; readonly value: Sql }[]): Sql;
}

/** SQL, or a constant known at compile time. */
export type Pattern = { readonly sql: Sql } | { readonly constant: string };

export interface ExpansionSql {
  readonly from: Sql;
  readonly alias: string;
  readonly kept: readonly { readonly sql: Sql; readonly as: string }[];
  readonly items: Sql;
  readonly item: string;
  /** An empty array gives a row without an item. */
  readonly outer: boolean;
}

/** Json is a serialized string, and JSON null is not SQL null. Without keys, functions apply to the value itself. */
export interface JsonWriter {
  at(json: Sql, keys: readonly string[]): Sql;
  /** Null for JSON null. */
  string(json: Sql, keys: readonly string[]): Sql;
  /** The items of an array; none for other values. */
  items(json: Sql, keys: readonly string[]): Sql;
  /** Null if the value is missing. */
  is(kind: 'array' | 'object' | 'number' | 'null', json: Sql, keys: readonly string[]): Sql;
  length(array: Sql): Sql;
  someItem(items: Sql, values: readonly Sql[], test: (item: Sql, values: readonly Sql[]) => Sql): Sql;
  ofString(string: Sql): Sql;
  /** Null for invalid JSON. */
  parsed(string: Sql): Sql;
  /** Without white space, so that equal values have equal strings. */
  compact(json: Sql, keys: readonly string[]): Sql;
}

export type ArithmeticSign = '+' | '-' | '*' | '/' | '%';

/** See numbers.ts for the forms. An overflow gives null. */
export interface NumberWriter {
  doubleOf(number: Sql): Sql;
  /** Integer part of a number in any form but mixed. */
  truncated(number: Sql): Sql;
  mixed(integer: Sql, double: Sql): Sql;
  integerPart(mixed: Sql): Sql;
  doublePart(mixed: Sql): Sql;
  /** Only the engine knows whether the column has integers. */
  mixedOfColumn(column: Sql): Sql;
  mixedOfString(string: Sql): Sql;
  doubleOfString(string: Sql): Sql;
  readonly zero: Sql;
  /** Integer operation, only inside `exact`: it may overflow. */
  integer(sign: ArithmeticSign, left: Sql, right: Sql): Sql;
  /** Integer result, or null on overflow. */
  exact(numbers: readonly Sql[], body: (names: readonly Sql[]) => Sql): Sql;
  /** Only inside `finite`. */
  double(sign: ArithmeticSign, left: Sql, right: Sql): Sql;
  /** Null for NaN and infinity. */
  finite(number: Sql): Sql;
  absolute(number: Sql): Sql;
  rounded(double: Sql): Sql;
  stringOfInteger(number: Sql): Sql;
  stringOfDouble(number: Sql): Sql;
  stringOfColumn(number: Sql): Sql;
}

/** Timestamps are epoch milliseconds. Results outside the years 1 to 9999 are null. */
export interface TimestampWriter {
  ofSeconds(integer: Sql): Sql;
  ofDoubleSeconds(double: Sql): Sql;
  ofMilliseconds(integer: Sql): Sql;
  ofString(string: Sql): Sql;
  string(timestamp: Sql): Sql;
}
