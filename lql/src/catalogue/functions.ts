import type { Type } from './catalogue.ts';

export interface Parameter {
  readonly name: string;
  /** `Any` takes every type, but the same for all such parameters of a call. */
  readonly type: Exclude<Type, 'Null'> | 'Any';
  readonly optional?: true;
  /** A Json value is not converted by itself: the query has to say `::Timestamp`. */
  readonly strict?: true;
}

export interface FunctionDeclaration {
  readonly parameters: readonly Parameter[];
  /** The last parameter may be given any number of times. */
  readonly repeats?: true;
  /** `Any` is the type that its parameters have. */
  readonly result: Exclude<Type, 'Null'> | 'Any';
  readonly description: string;
  readonly deprecated?: true;
}

const json = { name: 'value', type: 'Json' } as const;
const text = { name: 'string', type: 'String' } as const;
const count = { name: 'count', type: 'Number' } as const;
const moment = { name: 'timestamp', type: 'Timestamp' } as const;
const strictMoment = { ...moment, strict: true } as const;
const address = { name: 'address', type: 'String' } as const;

const test = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'Boolean', description }) as const;
const number = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'Number', description }) as const;
const string = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'String', description }) as const;
const time = (parameters: readonly Parameter[], description: string) =>
  ({ parameters, result: 'Timestamp', description }) as const;

const later = (unit: string) =>
  time([count, moment], `The timestamp plus the number of ${unit}, which may be negative.`);
const between = (unit: string) =>
  number(
    [
      { name: 'from', type: 'Timestamp', strict: true },
      { name: 'to', type: 'Timestamp', strict: true },
    ],
    `The number of boundaries of ${unit} from the first timestamp to the second; negative if the second is earlier.`,
  );
const part = (description: string) => number([strictMoment], description);

/** The functions of the language. What checks, compiles, evaluates and documents them is derived from this table. */
export const functions = {
  value_exists: test([json], 'Whether the value exists and is not null. The result is never null.'),
  key_exists: test([json], 'Whether the path exists, whatever its value. The result is never null.'),
  is_array: test([json], 'Whether the value is an array.'),
  is_object: test([json], 'Whether the value is an object.'),
  array_size: number([json], 'The number of items of an array; null for other values.'),
  any_in_array: {
    ...test(
      [
        { name: 'array', type: 'Json' },
        { name: 'item', type: 'Any' },
      ],
      'Whether the value is an array that contains one of the items.',
    ),
    repeats: true,
  },
  to_json: {
    parameters: [text],
    result: 'Json',
    description: 'Parses a string as JSON; null if it is not valid JSON.',
  },
  coalesce: {
    parameters: [{ name: 'value', type: 'Any' }],
    repeats: true,
    result: 'Any',
    description: 'The first value that is not null.',
  },

  contains: test([text, { name: 'part', type: 'String' }], 'Whether the first string contains the second.'),
  starts_with: test(
    [text, { name: 'start', type: 'String' }],
    'Whether the string starts with the second string.',
  ),
  ends_with: test([text, { name: 'end', type: 'String' }], 'Whether the string ends with the second string.'),
  char_index: number(
    [{ name: 'part', type: 'String' }, text, { name: 'start', type: 'Number', optional: true }],
    'The position of the first string in the second, from 1; 0 if it does not occur.',
  ),
  substring: string(
    [text, { name: 'start', type: 'Number' }, { name: 'length', type: 'Number', optional: true }],
    'The substring from a position; the first character is 1.',
  ),
  left: string([text, count], 'The first characters, up to the count.'),
  right: string([text, count], 'The last characters, up to the count.'),
  length: number([text], 'The number of characters.'),
  lower: string([text], 'The string in lower case.'),
  upper: string([text], 'The string in upper case.'),
  ltrim: string([text], 'The string without leading white space.'),
  rtrim: string([text], 'The string without trailing white space.'),
  trim: string(
    [text, { ...count, optional: true }],
    'The string without leading and trailing white space, or without the count of characters at each end.',
  ),
  to_boolean: test([text], 'The Boolean that the string names; null if it names none.'),
  to_double: number([text], 'The string as a number; null if it is not one.'),
  try_to_number: number([text], 'The string as a number, rounded to an integer; null if it is not one.'),

  abs: number([{ name: 'number', type: 'Number' }], 'The absolute value.'),

  add_millis: later('milliseconds'),
  add_seconds: later('seconds'),
  add_minutes: later('minutes'),
  add_hours: later('hours'),
  add_days: later('days'),
  add_months: later('months'),
  add_years: later('years'),
  diff_millis: between('milliseconds'),
  diff_seconds: between('seconds'),
  diff_minutes: between('minutes'),
  diff_hours: between('hours'),
  diff_days: between('days'),
  diff_months: between('months'),
  diff_years: between('years'),
  year_part: part('The year.'),
  quarter_part: part('The quarter, 1 to 4.'),
  month_part: part('The month, 1 to 12.'),
  day_part: part('The day of the month, 1 to 31.'),
  hour_part: part('The hour, 0 to 23.'),
  minute_part: part('The minute, 0 to 59.'),
  second_part: part('The second, 0 to 59.'),
  day_of_month: part('The day of the month, 1 to 31.'),
  day_of_week: part('The day of the week, 1 for Monday to 7 for Sunday.'),
  day_of_year: part('The day of the year, 1 to 366.'),
  epoch_ms: part('Milliseconds since 1970.'),
  epoch_sec: part('Whole seconds since 1970.'),
  ms_to_timestamp: time([count], 'The timestamp of a number of milliseconds since 1970.'),
  sec_to_timestamp: time([count], 'The timestamp of a number of seconds since 1970.'),
  to_timestamp: time([text], 'The string as a timestamp; null if it is not one.'),
  current_timestamp_ms: number([], 'Now, in milliseconds since 1970.'),
  current_timestamp_sec: number([], 'Now, in seconds since 1970.'),
  current_timestamp: { ...time([], 'Now.'), deprecated: true },

  ip_address: string([address], 'The address without its prefix length.'),
  ip_contains: test(
    [
      { name: 'network', type: 'String' },
      { name: 'address', type: 'String' },
    ],
    'Whether the network contains the second address or network. IPv4 and IPv6 never contain each other.',
  ),
  ip_family: number([address], 'The version of the address, 4 or 6.'),
  ip_high_netmask_bits: number([address], 'The prefix length; 32 or 128 for an address without one.'),
} as const satisfies Record<string, FunctionDeclaration>;

export type FunctionName = keyof typeof functions;

/** How a call is written. */
export function signature(name: FunctionName): string {
  const { parameters, repeats }: FunctionDeclaration = functions[name];
  const parts = parameters.map(({ name, optional }, place) => {
    const part = `${place > 0 ? ', ' : ''}${name}`;
    return optional ? ` [${part}]` : part;
  });
  return `${name}(${parts.join('')}${repeats ? ', …' : ''})`;
}
