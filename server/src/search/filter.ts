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
  readsText,
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
      description: 'What to compare with, for operators that take one value.',
    }),
  ),
  values: Type.Optional(
    Type.Union([Type.Array(Type.Union([...scalar]), { maxItems: 1_000 }), Type.Null()], {
      description: 'What to compare with: the list for in and not_in, the lower and upper bound for between.',
    }),
  ),
});
export type FilterBody = Static<typeof FilterBody>;

/** What a client gives to compare with. */
export type FilterValue = NonNullable<FilterBody['value']>;

export interface Filter extends Field {
  /** Where it stands in the request, as in `filters[2]`. */
  readonly at: string;
  readonly test: Test;
  readonly negated: boolean;
  /** Already of the type that a declared column holds, moments in milliseconds; text for tests that read text. */
  readonly values: readonly Scalar[];
}

const holdings: Readonly<Record<Exclude<ColumnType, 'json'>, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  time: `a date written as ${instantFormats}`,
};

/** Reads one filter of the request; `at` says where it stands there, as in `filters[2]`. */
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
  const values = readValues(body, name, at).map(([value, place]) => suit(value, place, operator.test, field));
  if (operator.test === 'eq' || operator.test === 'in') checkMembership(values, body, at, field, fields);
  if (operator.test === 'between') checkBounds(values, at, field.type);
  return { ...field, ...operator, at, values };
}

/** Of all filters of a request together. */
const mostValues = 10_000;
const longestPatterns = 5_000;

/** Reads the filters of a request. Regular expressions are checked apart, by `checkPatterns`: that may take long. */
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
    if (values > mostValues) {
      throw refuse(
        `${filter.at}.values`,
        `: the filters of a search have at most ${mostValues} values together.`,
      );
    }
    if (filter.test === 'rlike') patterns += textOf(filter.values[0]).length;
    if (patterns > longestPatterns) {
      throw refuse(
        `${filter.at}.value`,
        `: the regular expressions of a search have at most ${longestPatterns} characters together.`,
      );
    }
  }
}

/** The instructions of all regular expressions of a search. */
const largestPrograms = 10_000;

/** Refuses regular expressions that can not be used. Compiling some of them takes long: not for the event loop. */
export function checkPatterns(filters: readonly Filter[]): void {
  let size = 0;
  for (const { test, values, at } of filters) {
    if (test !== 'rlike') continue;
    const read = readPattern(textOf(values[0]));
    if (read.fault !== undefined) {
      throw refuse(`${at}.value`, `is not a valid RE2 regular expression: ${read.fault}.`);
    }
    size += read.size;
    if (size > largestPrograms) {
      throw refuse(
        `${at}.value`,
        'makes the regular expressions of the search too large: use fewer or smaller repetitions.',
      );
    }
  }
}

/** Whether `checkPatterns` takes next to no time for them. */
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

/** Of a closed set, a value outside it is misspelt: it would match nothing, or with `ne` everything. */
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
  const place = body.values ? `${at}.values[${index}]` : `${at}.value`;
  const given = quoted(textOf(values[index]));
  throw refuse(place, `must be one of ${set.join(', ')}, the values of ${path.field}, not ${given}.`);
}

/** The values with the place of each in the request. */
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

function suit(value: Scalar, place: string, test: Test, { path, type }: Field): Scalar {
  const text = textOf(value);
  // Neither can be stored as UTF-8 text, so the stores would answer with an error of their own.
  if (/\0|\p{Surrogate}/u.test(text)) throw refuse(place, 'must not contain a NUL or half a surrogate pair.');
  if (readsText(test)) return text;
  if (type === 'json') return value;
  const suited = suitedTo(type, value, text);
  const holding = holdings[type];
  if (suited === undefined)
    throw refuse(place, `must be ${holding}, as ${path.field} is, not ${quoted(text)}.`);
  return suited;
}

function suitedTo(type: Exclude<ColumnType, 'json'>, value: Scalar, text: string): Scalar | undefined {
  if (type === 'time') return parseInstant(text);
  return type === 'number' ? readNumber(value) : coerce(value, type);
}

function checkBounds(values: readonly Scalar[], at: string, type: ColumnType): void {
  // Below a JSON column the type is not known before the record is: numbers then count as numbers.
  const numbers = values.map((value) => coerce(value, 'integer'));
  const numeric = type !== 'string' && numbers.every((value) => value !== undefined);
  const [lower, upper] = numeric ? numbers : values.map(textOf);
  if (values.length !== 2 || lower === undefined || upper === undefined || compare(lower, upper) >= 0) {
    throw refuse(`${at}.values`, 'must be two different values, the lower one first.');
  }
}

function refuse(field: string, complaint: string): Refusal {
  return refuseField('INVALID_FILTER', field, complaint);
}
