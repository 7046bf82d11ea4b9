import type { FunctionName } from '../catalogue/functions.ts';
import { contains, readAddress } from './addresses.ts';
import { type Json, parseJson } from './json.ts';
import { int64OrNull, type Numeric, numberOfString, rounded, truncated } from './numbers.ts';
import { charIndex, left, lengthOf, lower, ltrim, right, rtrim, substring, trim, upper } from './strings.ts';
import {
  addUnits,
  boundariesBetween,
  datePart,
  dayOfYear,
  inRange,
  timestampOfSeconds,
  timestampOfString,
} from './timestamps.ts';
import { booleanOfString, type ReferenceValue } from './values.ts';

/** Functions that handle nulls themselves or depend on the argument types. */
export type SpecialFunction = 'value_exists' | 'key_exists' | 'coalesce' | 'any_in_array';

type SimpleFunction = (values: never, now: number) => ReferenceValue;

const json = (test: (json: Json) => ReferenceValue) => (values: [Json]) => test(values[0]);
const part =
  (of: (date: Date) => number) =>
  ([timestamp]: [number]) =>
    datePart(timestamp, of);
const integer = (number: Numeric | undefined): bigint | undefined => {
  if (number === undefined) return undefined;
  return truncated(number) ?? 0n;
};
const addBy =
  (unit: Parameters<typeof addUnits>[1]) =>
  ([count, timestamp]: [Numeric, number]) => {
    const number = truncated(count);
    return number === null ? null : addUnits(number, unit, timestamp);
  };
const differenceBy =
  (unit: Parameters<typeof boundariesBetween>[0]) =>
  ([from, to]: [number, number]) =>
    boundariesBetween(unit, from, to);
/** Null if a count exceeds 64 bits. */
const counted =
  <Args extends readonly unknown[]>(body: (...args: Args) => ReferenceValue) =>
  (values: Args) =>
    values.some((value) => typeof value === 'number' && truncated(value) === null) ? null : body(...values);

/** Arguments are not null. */
export const functions = {
  is_array: json(({ kind }) => kind === 'array'),
  is_object: json(({ kind }) => kind === 'object'),
  array_size: json((value) => (value.kind === 'array' ? BigInt(value.items.length) : null)),
  to_json: ([string]: [string]) => parseJson(string),
  contains: ([string, search]: [string, string]) => string.includes(search),
  starts_with: ([string, start]: [string, string]) => string.startsWith(start),
  ends_with: ([string, end]: [string, string]) => string.endsWith(end),
  char_index: counted((search: string, string: string, start?: Numeric) =>
    charIndex(search, string, integer(start)),
  ),
  substring: counted((string: string, start: Numeric, length?: Numeric) =>
    substring(string, integer(start) ?? 1n, integer(length)),
  ),
  left: counted((string: string, count: Numeric) => left(string, integer(count) ?? 0n)),
  right: counted((string: string, count: Numeric) => right(string, integer(count) ?? 0n)),
  length: ([string]: [string]) => BigInt(lengthOf(string)),
  lower: ([string]: [string]) => lower(string),
  upper: ([string]: [string]) => upper(string),
  ltrim: ([string]: [string]) => ltrim(string),
  rtrim: ([string]: [string]) => rtrim(string),
  trim: counted((string: string, count?: Numeric) => trim(string, integer(count))),
  to_boolean: ([string]: [string]) => booleanOfString(string),
  to_double: ([string]: [string]) => {
    const number = numberOfString(string);
    return number === null ? null : Number(number);
  },
  try_to_number: ([string]: [string]) => {
    const number = numberOfString(string);
    return number === null ? null : rounded(number);
  },
  abs: ([number]: [Numeric]) =>
    typeof number === 'bigint' ? int64OrNull(number < 0n ? -number : number) : Math.abs(number),
  add_millis: addBy('millis'),
  add_seconds: addBy('seconds'),
  add_minutes: addBy('minutes'),
  add_hours: addBy('hours'),
  add_days: addBy('days'),
  add_months: addBy('months'),
  add_years: addBy('years'),
  diff_millis: differenceBy('millis'),
  diff_seconds: differenceBy('seconds'),
  diff_minutes: differenceBy('minutes'),
  diff_hours: differenceBy('hours'),
  diff_days: differenceBy('days'),
  diff_months: differenceBy('months'),
  diff_years: differenceBy('years'),
  year_part: part((date) => date.getUTCFullYear()),
  quarter_part: part((date) => Math.floor(date.getUTCMonth() / 3) + 1),
  month_part: part((date) => date.getUTCMonth() + 1),
  day_part: part((date) => date.getUTCDate()),
  hour_part: part((date) => date.getUTCHours()),
  minute_part: part((date) => date.getUTCMinutes()),
  second_part: part((date) => date.getUTCSeconds()),
  day_of_month: part((date) => date.getUTCDate()),
  day_of_week: part((date) => date.getUTCDay() || 7),
  day_of_year: part(dayOfYear),
  epoch_ms: ([timestamp]: [number]) => BigInt(timestamp),
  epoch_sec: ([timestamp]: [number]) => BigInt(Math.floor(timestamp / 1000)),
  ms_to_timestamp: ([count]: [Numeric]) => {
    const number = truncated(count);
    return number === null ? null : inRange(Number(number));
  },
  sec_to_timestamp: ([count]: [Numeric]) => timestampOfSeconds(count),
  to_timestamp: ([string]: [string]) => timestampOfString(string),
  current_timestamp_ms: (_: [], now: number) => BigInt(now),
  current_timestamp_sec: (_: [], now: number) => BigInt(Math.floor(now / 1000)),
  current_timestamp: (_: [], now: number) => now,
  ip_address: ([string]: [string]) => (readAddress(string) ? (string.split('/')[0] ?? null) : null),
  ip_contains: ([network, address]: [string, string]) => {
    const [outer, inner] = [readAddress(network), readAddress(address)];
    return outer && inner ? contains(outer, inner) : null;
  },
  ip_family: ([string]: [string]) => {
    const address = readAddress(string);
    return address && (address.bits.length === 32 ? 4n : 6n);
  },
  ip_high_netmask_bits: ([string]: [string]) => {
    const address = readAddress(string);
    return address && BigInt(address.prefix);
  },
} satisfies Record<Exclude<FunctionName, SpecialFunction>, SimpleFunction>;
