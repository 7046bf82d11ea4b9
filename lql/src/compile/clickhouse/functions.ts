import type { Sql, Writer } from '../dialect.ts';
import type { Once } from './once.ts';
import type { ClickHouseTimestamps } from './timestamps.ts';

const space = String.raw`' \t\n\v\f\r'`;

export function functionsOf(once: Once, timestamps: ClickHouseTimestamps): Writer['functions'] {
  const { timestamp } = timestamps;
  const addDuration = (milliseconds: number) => (number: Sql, instant: Sql) =>
    timestamps.inRange(
      `accurateCastOrNull(toInt128(${instant}) + toInt128(${number}) * ${milliseconds}, 'Int64')`,
    );
  const addCalendarUnits = (add: string, max: number) => (number: Sql, instant: Sql) =>
    once(
      [number],
      (n) => `if(abs(${n}) <= ${max}, ${timestamps.of(`${add}(${timestamp(instant)}, ${n})`)}, null)`,
    );
  const between = (unit: string) => (from: Sql, to: Sql) =>
    `dateDiff('${unit}', ${timestamp(from)}, ${timestamp(to)})`;
  const part = (name: string) => (instant: Sql) => `toInt64(${name}(${timestamp(instant)}))`;
  const count = (number: Sql) => `greatest(${number}, 0)`;

  const bare = (string: Sql) => `splitByChar('/', ${string})[1]`;
  const isIPv4 = (string: Sql) => `isIPv4String(${bare(string)})`;
  const isIPv6 = (string: Sql) => `isIPv6String(${bare(string)})`;
  const bits = (string: Sql) =>
    once([string], (name) => {
      const prefix = `toInt64OrNull(splitByChar('/', ${name})[2])`;
      return `multiIf(${isIPv4(name)}, coalesce(${prefix}, 32), ${isIPv6(name)}, coalesce(${prefix}, 128), null)`;
    });

  return {
    contains: (string, search) => `(position(${string}, ${search}) > 0)`,
    starts_with: (string, start) => `startsWith(${string}, ${start})`,
    ends_with: (string, end) => `endsWith(${string}, ${end})`,
    char_index: (search, string, start) =>
      start === undefined
        ? `toInt64(positionUTF8(${string}, ${search}))`
        : `toInt64(positionUTF8(${string}, ${search}, toUInt64(greatest(${start}, 1))))`,
    substring: (string, start, length) =>
      once([string, start], (name, from) => {
        const at = `if(${from} = 0, 1, if(-${from} > lengthUTF8(${name}), lengthUTF8(${name}) + 1, ${from}))`;
        return `substringUTF8(${name}, ${at}${length === undefined ? '' : `, ${count(length)}`})`;
      }),
    left: (string, number) => `leftUTF8(${string}, ${count(number)})`,
    right: (string, number) => `rightUTF8(${string}, ${count(number)})`,
    length: (string) => `toInt64(lengthUTF8(${string}))`,
    lower: (string) => `lowerUTF8(${string})`,
    upper: (string) => `upperUTF8(${string})`,
    ltrim: (string) => `trim(leading ${space} from ${string})`,
    rtrim: (string) => `trim(trailing ${space} from ${string})`,
    trim: (string, number) =>
      number === undefined
        ? `trim(both ${space} from ${string})`
        : once(
            [string, count(number)],
            (name, n) => `substringUTF8(${name}, ${n} + 1, greatest(lengthUTF8(${name}) - 2 * ${n}, 0))`,
          ),
    add_millis: addDuration(1),
    add_seconds: addDuration(1000),
    add_minutes: addDuration(60_000),
    add_hours: addDuration(3_600_000),
    add_days: addDuration(86_400_000),
    add_months: addCalendarUnits('addMonths', 4800),
    add_years: addCalendarUnits('addYears', 400),
    diff_millis: between('millisecond'),
    diff_seconds: between('second'),
    diff_minutes: between('minute'),
    diff_hours: between('hour'),
    diff_days: between('day'),
    diff_months: between('month'),
    diff_years: between('year'),
    year_part: part('toYear'),
    quarter_part: part('toQuarter'),
    month_part: part('toMonth'),
    day_part: part('toDayOfMonth'),
    hour_part: part('toHour'),
    minute_part: part('toMinute'),
    second_part: part('toSecond'),
    day_of_month: part('toDayOfMonth'),
    day_of_week: part('toDayOfWeek'),
    day_of_year: part('toDayOfYear'),
    epoch_sec: (instant) => `toInt64(floor(${instant} / 1000))`,
    ip_address: (string) =>
      once([string], (name) => `if(${isIPv4(name)} or ${isIPv6(name)}, ${bare(name)}, null)`),
    ip_contains: (network, address) =>
      once([network, address], (a, b) => {
        const range = `concat(${bare(a)}, '/', toString(${bits(a)}))`;
        const inside = `${bits(a)} <= ${bits(b)} and isIPAddressInRange(${bare(b)}, ${range})`;
        const family = `multiIf(${isIPv4(a)}, ${isIPv4(b)}, ${isIPv6(a)}, ${isIPv6(b)}, null)`;
        return `if(${family}, ${inside}, ${family})`;
      }),
    ip_family: (string) => once([string], (name) => `multiIf(${isIPv4(name)}, 4, ${isIPv6(name)}, 6, null)`),
    ip_high_netmask_bits: bits,
  };
}
