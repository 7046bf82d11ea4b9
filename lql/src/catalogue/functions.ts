import type { Type } from './catalogue.ts';

export interface Parameter {
  readonly name: string;
  /** `Any` accepts every type, but all such parameters of a call must have the same type. */
  readonly type: Exclude<Type, 'Null'> | 'Any';
  readonly optional?: true;
  /** Json is not converted implicitly: the query needs a cast such as `::Timestamp`. */
  readonly strict?: true;
}

export interface FunctionDeclaration {
  readonly parameters: readonly Parameter[];
  /** The last parameter is variadic. */
  readonly repeats?: true;
  /** `Any` is the common type of the `Any` parameters. */
  readonly result: Exclude<Type, 'Null'> | 'Any';
  readonly description: string;
  readonly deprecated?: true;
}

const json = { name: 'value', type: 'Json' } as const;
const string = { name: 'string', type: 'String' } as const;
const count = { name: 'count', type: 'Number' } as const;
const timestamp = { name: 'timestamp', type: 'Timestamp' } as const;
const strictTimestamp = { ...timestamp, strict: true } as const;
const address = { name: 'address', type: 'String' } as const;

const booleanResult = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'Boolean', description }) as const;
const numberResult = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'Number', description }) as const;
const stringResult = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'String', description }) as const;
const timestampResult = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'Timestamp', description }) as const;

const shift = (unit: string) =>
  timestampResult([count, timestamp], `The timestamp plus the number of ${unit}, which may be negative.`);
const difference = (unit: string) =>
  numberResult(
    [
      { name: 'from', type: 'Timestamp', strict: true },
      { name: 'to', type: 'Timestamp', strict: true },
    ],
    `The number of boundaries of ${unit} from the first timestamp to the second; negative if the second is earlier.`,
  );
const datePart = (description: string) => numberResult([strictTimestamp], description);

/** Functions of LQL. Checks, compilation and documentation are derived from this table. */
export const functions = {
  value_exists: booleanResult([json], 'Whether the value exists and is not null. The result is never null.'),
  key_exists: booleanResult([json], 'Whether the path exists, whatever its value. The result is never null.'),
  is_array: booleanResult([json], 'Whether the value is an array.'),
  is_object: booleanResult([json], 'Whether the value is an object.'),
  array_size: numberResult([json], 'The number of items of an array; null for other values.'),
  any_in_array: {
    ...booleanResult(
      [
        { name: 'array', type: 'Json' },
        { name: 'item', type: 'Any' },
      ],
      'Whether the value is an array that contains one of the items.',
    ),
    repeats: true,
  },
  to_json: {
    parameters: [string],
    result: 'Json',
    description: 'Parses a string as JSON; null if it is not valid JSON.',
  },
  coalesce: {
    parameters: [{ name: 'value', type: 'Any' }],
    repeats: true,
    result: 'Any',
    description: 'The first value that is not null.',
  },

  contains: booleanResult(
    [string, { name: 'part', type: 'String' }],
    'Whether the first string contains the second.',
  ),
  starts_with: booleanResult(
    [string, { name: 'start', type: 'String' }],
    'Whether the string starts with the second string.',
  ),
  ends_with: booleanResult(
    [string, { name: 'end', type: 'String' }],
    'Whether the string ends with the second string.',
  ),
  char_index: numberResult(
    [{ name: 'part', type: 'String' }, string, { name: 'start', type: 'Number', optional: true }],
    'The position of the first string in the second, from 1; 0 if it does not occur.',
  ),
  substring: stringResult(
    [string, { name: 'start', type: 'Number' }, { name: 'length', type: 'Number', optional: true }],
    'The substring from a position; the first character is 1.',
  ),
  left: stringResult([string, count], 'The first characters, up to the count.'),
  right: stringResult([string, count], 'The last characters, up to the count.'),
  length: numberResult([string], 'The number of characters.'),
  lower: stringResult([string], 'The string in lower case.'),
  upper: stringResult([string], 'The string in upper case.'),
  ltrim: stringResult([string], 'The string without leading white space.'),
  rtrim: stringResult([string], 'The string without trailing white space.'),
  trim: stringResult(
    [string, { ...count, optional: true }],
    'The string without leading and trailing white space, or without the count of characters at each end.',
  ),
  to_boolean: booleanResult([string], 'The Boolean that the string names; null if it names none.'),
  to_double: numberResult([string], 'The string as a number; null if it is not one.'),
  try_to_number: numberResult(
    [string],
    'The string as a number, rounded to an integer; null if it is not one.',
  ),

  abs: numberResult([{ name: 'number', type: 'Number' }], 'The absolute value.'),

  add_millis: shift('milliseconds'),
  add_seconds: shift('seconds'),
  add_minutes: shift('minutes'),
  add_hours: shift('hours'),
  add_days: shift('days'),
  add_months: shift('months'),
  add_years: shift('years'),
  diff_millis: difference('milliseconds'),
  diff_seconds: difference('seconds'),
  diff_minutes: difference('minutes'),
  diff_hours: difference('hours'),
  diff_days: difference('days'),
  diff_months: difference('months'),
  diff_years: difference('years'),
  year_part: datePart('The year.'),
  quarter_part: datePart('The quarter, 1 to 4.'),
  month_part: datePart('The month, 1 to 12.'),
  day_part: datePart('The day of the month, 1 to 31.'),
  hour_part: datePart('The hour, 0 to 23.'),
  minute_part: datePart('The minute, 0 to 59.'),
  second_part: datePart('The second, 0 to 59.'),
  day_of_month: datePart('The day of the month, 1 to 31.'),
  day_of_week: datePart('The day of the week, 1 for Monday to 7 for Sunday.'),
  day_of_year: datePart('The day of the year, 1 to 366.'),
  epoch_ms: datePart('Milliseconds since 1970.'),
  epoch_sec: datePart('Whole seconds since 1970.'),
  ms_to_timestamp: timestampResult([count], 'The timestamp of a number of milliseconds since 1970.'),
  sec_to_timestamp: timestampResult([count], 'The timestamp of a number of seconds since 1970.'),
  to_timestamp: timestampResult([string], 'The string as a timestamp; null if it is not one.'),
  current_timestamp_ms: numberResult([], 'Now, in milliseconds since 1970.'),
  current_timestamp_sec: numberResult([], 'Now, in seconds since 1970.'),
  current_timestamp: { ...timestampResult([], 'Now.'), deprecated: true },

  ip_address: stringResult([address], 'The address without its prefix length.'),
  ip_contains: booleanResult(
    [
      { name: 'network', type: 'String' },
      { name: 'address', type: 'String' },
    ],
    'Whether the network contains the second address or network. IPv4 and IPv6 never contain each other.',
  ),
  ip_family: numberResult([address], 'The version of the address, 4 or 6.'),
  ip_high_netmask_bits: numberResult([address], 'The prefix length; 32 or 128 for an address without one.'),
} as const satisfies Record<string, FunctionDeclaration>;

export type FunctionName = keyof typeof functions;

export function signature(name: FunctionName): string {
  const { parameters, repeats }: FunctionDeclaration = functions[name];
  const names = parameters.map(({ name, optional }, index) => {
    const part = `${index > 0 ? ', ' : ''}${name}`;
    return optional ? ` [${part}]` : part;
  });
  return `${name}(${names.join('')}${repeats ? ', …' : ''})`;
}
