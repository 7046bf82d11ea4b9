import type { Sql, Writer } from '../dialect.ts';
import { addresses } from './addresses.ts';
import type { Once } from './once.ts';
import type { DuckTimestamps } from './timestamps.ts';

const space = "' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13)";

/** Maximum position of the engine; strings are shorter. */
const maxPosition = 2147483647;

export function functionsOf(once: Once, timestamps: DuckTimestamps): Writer['functions'] {
  const ip = addresses(once);
  // greatest() and least() would ignore nulls.
  const atLeast = (lowest: number) => (number: Sql) =>
    once(
      [number],
      (n) =>
        `case when ${n} < ${lowest} then ${lowest} when ${n} > ${maxPosition} then ${maxPosition} else ${n} end`,
    );
  const [position, count, bounded] = [atLeast(1), atLeast(0), atLeast(-maxPosition)];
  const { timestamp } = timestamps;
  const addDuration = (milliseconds: number) => (number: Sql, instant: Sql) =>
    timestamps.inRange(
      `try_cast(cast(${instant} as hugeint) + cast(${number} as hugeint) * ${milliseconds} as bigint)`,
    );
  const addMonths = (months: number) => (number: Sql, instant: Sql) =>
    once([number, instant], (n, at) => {
      const sum = timestamps.of(`${timestamp(at)} + to_months(cast(${n} * ${months} as integer))`);
      const max = 240_000 / months;
      return `case when ${n} between -${max} and ${max} then ${sum} end`;
    });
  const between = (unit: string) => (from: Sql, to: Sql) =>
    `date_diff('${unit}', ${timestamp(from)}, ${timestamp(to)})`;
  const part = (name: string) => (instant: Sql) => `${name}(${timestamp(instant)})`;

  return {
    contains: (string, search) => `contains(${string}, ${search})`,
    starts_with: (string, start) => `starts_with(${string}, ${start})`,
    ends_with: (string, end) => `suffix(${string}, ${end})`,
    char_index: (search, string, start) =>
      start === undefined
        ? `instr(${string}, ${search})`
        : once([search, string, position(start)], (search, string, from) =>
            once(
              [`instr(substring(${string}, ${from}), ${search})`],
              (at) =>
                `case when ${at} is null then null when ${from} > length(${string}) + 1 or ${at} = 0 then 0 else ${at} + ${from} - 1 end`,
            ),
          ),
    substring: (string, start, length) =>
      once(
        [string, bounded(start), ...(length === undefined ? [] : [count(length)])],
        (name, from, limit) => {
          const at = `case when ${from} > 0 then ${from} when ${from} = 0 then 1 when -${from} <= length(${name}) then length(${name}) + ${from} + 1 when ${from} < 0 then length(${name}) + 1 end`;
          return `substring(${name}, ${at}${limit === undefined ? '' : `, ${limit}`})`;
        },
      ),
    left: (string, number) => `left(${string}, ${count(number)})`,
    right: (string, number) => `right(${string}, ${count(number)})`,
    length: (string) => `length(${string})`,
    lower: (string) => `lower(${string})`,
    upper: (string) => `upper(${string})`,
    ltrim: (string) => `ltrim(${string}, ${space})`,
    rtrim: (string) => `rtrim(${string}, ${space})`,
    trim: (string, number) =>
      number === undefined
        ? `trim(${string}, ${space})`
        : once(
            [string, count(number)],
            (name, n) => `substring(${name}, ${n} + 1, greatest(length(${name}) - 2 * ${n}, 0))`,
          ),
    add_millis: addDuration(1),
    add_seconds: addDuration(1000),
    add_minutes: addDuration(60_000),
    add_hours: addDuration(3_600_000),
    add_days: addDuration(86_400_000),
    add_months: addMonths(1),
    add_years: addMonths(12),
    diff_millis: between('millisecond'),
    diff_seconds: between('second'),
    diff_minutes: between('minute'),
    diff_hours: between('hour'),
    diff_days: between('day'),
    diff_months: between('month'),
    diff_years: between('year'),
    year_part: part('year'),
    quarter_part: part('quarter'),
    month_part: part('month'),
    day_part: part('day'),
    hour_part: part('hour'),
    minute_part: part('minute'),
    second_part: part('second'),
    day_of_month: part('day'),
    day_of_week: part('isodow'),
    day_of_year: part('dayofyear'),
    epoch_sec: (instant) => `cast(floor(${instant} / 1000) as bigint)`,
    ip_address: ip.address,
    ip_contains: ip.contains,
    ip_family: ip.family,
    ip_high_netmask_bits: ip.bits,
  };
}
