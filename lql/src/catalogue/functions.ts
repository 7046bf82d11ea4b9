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
const text = { name: 'text', type: 'String' } as const;
const count = { name: 'count', type: 'Number' } as const;
const moment = { name: 'moment', type: 'Timestamp' } as const;
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
  time([count, moment], `The moment so many ${unit} later, or earlier when negative.`);
const between = (unit: string) =>
  number(
    [
      { name: 'from', type: 'Timestamp', strict: true },
      { name: 'to', type: 'Timestamp', strict: true },
    ],
    `Boundaries of ${unit} from the first moment to the second; negative when that one is earlier.`,
  );
const part = (description: string) => number([strictMoment], description);

/** The functions of the language. What checks, compiles, evaluates and documents them is derived from this table. */
export const functions = {
  value_exists: test([json], 'Whether there is a value that is not null. Never null itself.'),
  key_exists: test([json], 'Whether the path is there, whatever it holds. Never null itself.'),
  is_array: test([json], 'Whether it is a list.'),
  is_object: test([json], 'Whether it is an object.'),
  array_size: number([json], 'How many items a list has; null for anything else.'),
  any_in_array: {
    ...test(
      [
        { name: 'list', type: 'Json' },
        { name: 'item', type: 'Any' },
      ],
      'Whether it is a list that has one of the items.',
    ),
    repeats: true,
  },
  to_json: { parameters: [text], result: 'Json', description: 'Reads JSON text; null when it is none.' },
  coalesce: {
    parameters: [{ name: 'value', type: 'Any' }],
    repeats: true,
    result: 'Any',
    description: 'The first that is not null.',
  },

  contains: test([text, { name: 'part', type: 'String' }], 'Whether the second text is in the first.'),
  starts_with: test([text, { name: 'start', type: 'String' }], 'Whether the text starts so.'),
  ends_with: test([text, { name: 'end', type: 'String' }], 'Whether the text ends so.'),
  char_index: number(
    [{ name: 'part', type: 'String' }, text, { name: 'start', type: 'Number', optional: true }],
    'Where the first text is in the second, from 1; 0 when it is not there.',
  ),
  substring: string(
    [text, { name: 'start', type: 'Number' }, { name: 'length', type: 'Number', optional: true }],
    'The part of the text from a character on, the first being 1.',
  ),
  left: string([text, count], 'So many characters from the start.'),
  right: string([text, count], 'So many characters from the end.'),
  length: number([text], 'How many characters the text has.'),
  lower: string([text], 'The text in lower case.'),
  upper: string([text], 'The text in upper case.'),
  ltrim: string([text], 'The text without white space at its start.'),
  rtrim: string([text], 'The text without white space at its end.'),
  trim: string(
    [text, { ...count, optional: true }],
    'The text without white space around it, or without so many characters at each end.',
  ),
  to_boolean: test([text], 'True or false by its name; null when it is neither.'),
  to_double: number([text], 'The number that the text is; null when it is none.'),
  try_to_number: number([text], 'The number that the text is, rounded to a whole one; null when it is none.'),

  abs: number([{ name: 'number', type: 'Number' }], 'The number without its sign.'),

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
  ms_to_timestamp: time([count], 'The moment so many milliseconds after 1970 began.'),
  sec_to_timestamp: time([count], 'The moment so many seconds after 1970 began.'),
  to_timestamp: time([text], 'The moment that the text says; null when it says none.'),
  current_timestamp_ms: number([], 'Now, in milliseconds since 1970.'),
  current_timestamp_sec: number([], 'Now, in seconds since 1970.'),
  current_timestamp: { ...time([], 'Now.'), deprecated: true },

  ip_address: string([address], 'The address, without the length of a prefix.'),
  ip_contains: test(
    [
      { name: 'network', type: 'String' },
      { name: 'address', type: 'String' },
    ],
    'Whether the second address or network lies in the first. IPv4 and IPv6 never contain each other.',
  ),
  ip_family: number([address], '4 or 6.'),
  ip_high_netmask_bits: number([address], 'The length of the prefix; 32 or 128 for an address without one.'),
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
