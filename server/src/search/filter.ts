import { type Static, Type } from 'typebox';
import { Checks, refuseField } from '../platform/checks.ts';
import type { Refusal } from '../platform/errors.ts';
import { instantFormats, parseInstant } from '../platform/instant.ts';
import { quoted } from '../platform/quoted.ts';
import type { ColumnType, Fields } from './dataset.ts';
import { columnOf, type Field, readField } from './field.ts';
import {
  isOperator,
  type OperatorName,
  operators,
  readsString,
  type Test,
  testOf,
  usableOperators,
} from './operators.ts';
import { isPlainPattern, readPattern } from './rlike.ts';
import { coerce, compare, readNumber, type Scalar, textOf } from './scalar.ts';

const scalar = [Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean()] as const;

export const FilterBody = Type.Object({
  field: Type.String({
    maxLength: 1_000,
    description: 'Member of the record; below an object also `a.b`, `a."b.c"` and `a[0]`.',
  }),
  expression: Type.String({
    maxLength: 100,
    description: `The operator: one of ${usableOperators.join(', ')}.`,
  }),
  value: Type.Optional(
    Type.Union([...scalar, Type.Null()], {
      description: 'Operand of operators that take one value.',
    }),
  ),
  values: Type.Optional(
    Type.Union([Type.Array(Type.Union([...scalar]), { maxItems: 1_000 }), Type.Null()], {
      description: 'Operands: the set for in and not_in, the lower and upper bound for between.',
    }),
  ),
});
export type FilterBody = Static<typeof FilterBody>;

/** An operand in the request. */
export type FilterValue = NonNullable<FilterBody['value']>;

export interface Filter extends Field {
  /** Location in the request, such as `filters[2]`. */
  readonly at: string;
  readonly test: Test;
  readonly negated: boolean;
  /** Converted to the type of the declared column, timestamps in milliseconds; strings for string tests. */
  readonly values: readonly Scalar[];
}

const typeDescriptions: Readonly<Record<Exclude<ColumnType, 'json'>, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  time: `a date written as ${instantFormats}`,
};

/** Parses a filter of the request; `at` is its location there, such as `filters[2]`. */
export function readFilter(body: FilterBody, at: string, fields: Fields): Filter {
  const field = readField(body.field, `${at}.field`, fields);
  const name = body.expression;
  if (!isOperator(name)) {
    throw refuse(
      `${at}.expression`,
      `${quoted(name)} is not an operator: use one of ${usableOperators.join(', ')}.`,
    );
  }
  const operator = testOf(name);
  if (!operator) throw refuse(`${at}.expression`, `'${name}' is reserved: use another operator.`);
  checkAllowed(name, at, field, fields);
  const values = readValues(body, name, at).map(([value, location]) =>
    convert(value, location, operator.test, field),
  );
  if (operator.test === 'eq' || operator.test === 'in') checkMembership(values, body, at, field, fields);
  if (operator.test === 'between') checkBounds(values, at, field.type);
  return { ...field, ...operator, at, values };
}

/** Limits for all filters of a request together. */
const maxValues = 10_000;
const maxPatternLength = 5_000;

/**
 * Parses the filters of a request. Regular expressions are checked separately by `checkPatterns`, because that may be
 * slow.
 */
export function readFilters(bodies: readonly FilterBody[], fields: Fields): Filter[] {
  const checks = new Checks();
  const filters = bodies.flatMap(
    (body, index) => checks.run(() => readFilter(body, `filters[${index}]`, fields)) ?? [],
  );
  checks.finish();
  checkTotals(filters);
  return filters;
}

function checkTotals(filters: readonly Filter[]): void {
  let [values, patterns] = [0, 0];
  for (const filter of filters) {
    values += filter.values.length;
    if (values > maxValues) {
      throw refuse(
        `${filter.at}.values`,
        `: the filters of a search have at most ${maxValues} values together.`,
      );
    }
    if (filter.test === 'rlike') patterns += textOf(filter.values[0]).length;
    if (patterns > maxPatternLength) {
      throw refuse(
        `${filter.at}.value`,
        `: the regular expressions of a search have at most ${maxPatternLength} characters together.`,
      );
    }
  }
}

/** Total size of the compiled regular expressions of a search. */
const maxProgramSize = 10_000;

/** Refuses invalid or too large regular expressions. Compiling may be slow, so it must not run on the event loop. */
export function checkPatterns(filters: readonly Filter[]): void {
  let size = 0;
  for (const { test, values, at } of filters) {
    if (test !== 'rlike') continue;
    const read = readPattern(textOf(values[0]));
    if (read.fault !== undefined) {
      throw refuse(`${at}.value`, `is not a valid RE2 regular expression: ${read.fault}.`);
    }
    size += read.size;
    if (size > maxProgramSize) {
      throw refuse(
        `${at}.value`,
        'makes the regular expressions of the search too large: use fewer or smaller repetitions.',
      );
    }
  }
}

/** Whether `checkPatterns` is fast enough for the event loop. */
export function hasPlainPatterns(filters: readonly Filter[]): boolean {
  return filters.every(({ test, values }) => test !== 'rlike' || isPlainPattern(textOf(values[0])));
}

function checkAllowed(name: OperatorName, at: string, { path }: Field, fields: Fields): void {
  const allowed = columnOf(fields, path.field)?.operators;
  if (!allowed || allowed.includes(name)) return;
  throw refuse(
    `${at}.expression`,
    `'${name}' can not be used on ${path.field}: use one of ${allowed.join(', ')}.`,
  );
}

/** A value outside of a closed set is misspelled: it would match nothing, or with `ne` everything. */
function checkMembership(
  values: readonly Scalar[],
  body: FilterBody,
  at: string,
  { path }: Field,
  fields: Fields,
): void {
  const set = path.steps.length === 0 ? columnOf(fields, path.field)?.values : undefined;
  const index = set ? values.findIndex((value) => !set.includes(textOf(value))) : -1;
  if (!set || index < 0) return;
  const location = body.values ? `${at}.values[${index}]` : `${at}.value`;
  const value = quoted(textOf(values[index]));
  throw refuse(location, `must be one of ${set.join(', ')}, the values of ${path.field}, not ${value}.`);
}

/** The values, each with its location in the request. */
function readValues(body: FilterBody, name: OperatorName, at: string): (readonly [Scalar, string])[] {
  const { uses } = operators[name];
  const other = uses === 'value' ? 'values' : 'value';
  if (body[other] !== undefined && body[other] !== null) {
    throw refuse(`${at}.${other}`, `must not be given with ${name}: use ${uses}.`);
  }
  if (uses === 'value') {
    const { value } = body;
    if (value === undefined || value === null) throw refuse(`${at}.value`, `is missing: ${name} needs it.`);
    return [[value, `${at}.value`]];
  }
  const values = body.values ?? [];
  if (values.length === 0) throw refuse(`${at}.values`, `is missing or empty: ${name} needs it.`);
  return values.map((value, index) => [value, `${at}.values[${index}]`] as const);
}

function convert(value: Scalar, location: string, test: Test, { path, type }: Field): Scalar {
  const string = textOf(value);
  // Neither is valid in a UTF-8 string, so the databases would fail with their own error.
  if (/\0|\p{Surrogate}/u.test(string))
    throw refuse(location, 'must not contain a NUL or half a surrogate pair.');
  if (readsString(test)) return string;
  if (type === 'json') return value;
  const converted = convertTo(type, value, string);
  const expected = typeDescriptions[type];
  if (converted === undefined)
    throw refuse(location, `must be ${expected}, as ${path.field} is, not ${quoted(string)}.`);
  return converted;
}

function convertTo(type: Exclude<ColumnType, 'json'>, value: Scalar, string: string): Scalar | undefined {
  if (type === 'time') return parseInstant(string);
  return type === 'number' ? readNumber(value) : coerce(value, type);
}

function checkBounds(values: readonly Scalar[], at: string, type: ColumnType): void {
  // Below a JSON column the type is unknown until a record is read; numeric operands then compare as numbers.
  const numbers = values.map((value) => coerce(value, 'integer'));
  const numeric = type !== 'string' && numbers.every((value) => value !== undefined);
  const [lower, upper] = numeric ? numbers : values.map(textOf);
  if (values.length !== 2 || lower === undefined || upper === undefined || compare(lower, upper) >= 0) {
    throw refuse(`${at}.values`, 'must be two different values, the lower one first.');
  }
}

function refuse(field: string, problem: string): Refusal {
  return refuseField('INVALID_FILTER', field, problem);
}
