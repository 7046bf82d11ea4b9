import type { FunctionName } from '../catalogue/functions.ts';
import { contains, readAddress } from './addresses.ts';
import { type Json, parseJson } from './json.ts';
import { type Numeric, numberOfString, rounded, truncated, wholeOrNull } from './numbers.ts';
import { charIndex, left, lengthOf, lower, ltrim, right, rtrim, substring, trim, upper } from './strings.ts';
import {
  between,
  dayOfYear,
  inRange,
  partOf,
  shifted,
  timestampOfSeconds,
  timestampOfString,
} from './timestamps.ts';
import { booleanOfString, type Known } from './values.ts';

/** Functions that handle nulls themselves or depend on the argument types. */
export type SpecialFunction = 'value_exists' | 'key_exists' | 'coalesce' | 'any_in_array';

type Simple = (values: never, now: number) => Known;

const json = (test: (json: Json) => Known) => (values: [Json]) => test(values[0]);
const part =
  (of: (date: Date) => number) =>
  ([timestamp]: [number]) =>
    partOf(timestamp, of);
const whole = (number: Numeric | undefined): bigint | undefined => {
  if (number === undefined) return undefined;
  return truncated(number) ?? 0n;
};
const shiftBy =
  (unit: Parameters<typeof shifted>[1]) =>
  ([count, timestamp]: [Numeric, number]) => {
    const number = truncated(count);
    return number === null ? null : shifted(number, unit, timestamp);
  };
const differenceBy =
  (unit: Parameters<typeof between>[0]) =>
  ([from, to]: [number, number]) =>
    between(unit, from, to);
/** Null if a count exceeds 64 bits. */
const counted =
  <Given extends readonly unknown[]>(body: (...given: Given) => Known) =>
  (values: Given) =>
    values.some((value) => typeof value === 'number' && truncated(value) === null) ? null : body(...values);

/** Arguments are not null. */
export const functions = {
  is_array: json(({ kind }) => kind === 'list'),
  is_object: json(({ kind }) => kind === 'object'),
  array_size: json((value) => (value.kind === 'list' ? BigInt(value.items.length) : null)),
  to_json: ([text]: [string]) => parseJson(text),
  contains: ([text, wanted]: [string, string]) => text.includes(wanted),
  starts_with: ([text, start]: [string, string]) => text.startsWith(start),
  ends_with: ([text, end]: [string, string]) => text.endsWith(end),
  char_index: counted((wanted: string, text: string, start?: Numeric) =>
    charIndex(wanted, text, whole(start)),
  ),
  substring: counted((text: string, start: Numeric, length?: Numeric) =>
    substring(text, whole(start) ?? 1n, whole(length)),
  ),
  left: counted((text: string, count: Numeric) => left(text, whole(count) ?? 0n)),
  right: counted((text: string, count: Numeric) => right(text, whole(count) ?? 0n)),
  length: ([text]: [string]) => BigInt(lengthOf(text)),
  lower: ([text]: [string]) => lower(text),
  upper: ([text]: [string]) => upper(text),
  ltrim: ([text]: [string]) => ltrim(text),
  rtrim: ([text]: [string]) => rtrim(text),
  trim: counted((text: string, count?: Numeric) => trim(text, whole(count))),
  to_boolean: ([text]: [string]) => booleanOfString(text),
  to_double: ([text]: [string]) => {
    const number = numberOfString(text);
    return number === null ? null : Number(number);
  },
  try_to_number: ([text]: [string]) => {
    const number = numberOfString(text);
    return number === null ? null : rounded(number);
  },
  abs: ([number]: [Numeric]) =>
    typeof number === 'bigint' ? wholeOrNull(number < 0n ? -number : number) : Math.abs(number),
  add_millis: shiftBy('millis'),
  add_seconds: shiftBy('seconds'),
  add_minutes: shiftBy('minutes'),
  add_hours: shiftBy('hours'),
  add_days: shiftBy('days'),
  add_months: shiftBy('months'),
  add_years: shiftBy('years'),
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
  to_timestamp: ([text]: [string]) => timestampOfString(text),
  current_timestamp_ms: (_: [], now: number) => BigInt(now),
  current_timestamp_sec: (_: [], now: number) => BigInt(Math.floor(now / 1000)),
  current_timestamp: (_: [], now: number) => now,
  ip_address: ([text]: [string]) => (readAddress(text) ? (text.split('/')[0] ?? null) : null),
  ip_contains: ([network, address]: [string, string]) => {
    const [outer, inner] = [readAddress(network), readAddress(address)];
    return outer && inner ? contains(outer, inner) : null;
  },
  ip_family: ([text]: [string]) => {
    const address = readAddress(text);
    return address && (address.bits.length === 32 ? 4n : 6n);
  },
  ip_high_netmask_bits: ([text]: [string]) => {
    const address = readAddress(text);
    return address && BigInt(address.prefix);
  },
} satisfies Record<Exclude<FunctionName, SpecialFunction>, Simple>;
