import type { Sql, Writer } from '../dialect.ts';
import type { Once } from './once.ts';
import type { ClickHouseTimestamps } from './timestamps.ts';

const space = String.raw`' \t\n\v\f\r'`;

export function functionsOf(once: Once, timestamps: ClickHouseTimestamps): Writer['functions'] {
  const { timestamp } = timestamps;
  const later = (milliseconds: number) => (number: Sql, instant: Sql) =>
    timestamps.inRange(
      `accurateCastOrNull(toInt128(${instant}) + toInt128(${number}) * ${milliseconds}, 'Int64')`,
    );
  const laterBy = (add: string, most: number) => (number: Sql, instant: Sql) =>
    once(
      [number],
      (n) => `if(abs(${n}) <= ${most}, ${timestamps.of(`${add}(${timestamp(instant)}, ${n})`)}, null)`,
    );
  const between = (unit: string) => (from: Sql, to: Sql) =>
    `dateDiff('${unit}', ${timestamp(from)}, ${timestamp(to)})`;
  const part = (name: string) => (instant: Sql) => `toInt64(${name}(${timestamp(instant)}))`;
  const count = (number: Sql) => `greatest(${number}, 0)`;

  const bare = (text: Sql) => `splitByChar('/', ${text})[1]`;
  const isFour = (text: Sql) => `isIPv4String(${bare(text)})`;
  const isSix = (text: Sql) => `isIPv6String(${bare(text)})`;
  const bits = (text: Sql) =>
    once([text], (name) => {
      const given = `toInt64OrNull(splitByChar('/', ${name})[2])`;
      return `multiIf(${isFour(name)}, coalesce(${given}, 32), ${isSix(name)}, coalesce(${given}, 128), null)`;
    });

  return {
    contains: (text, wanted) => `(position(${text}, ${wanted}) > 0)`,
    starts_with: (text, start) => `startsWith(${text}, ${start})`,
    ends_with: (text, end) => `endsWith(${text}, ${end})`,
    char_index: (wanted, text, start) =>
      start === undefined
        ? `toInt64(positionUTF8(${text}, ${wanted}))`
        : `toInt64(positionUTF8(${text}, ${wanted}, toUInt64(greatest(${start}, 1))))`,
    substring: (text, start, length) =>
      once([text, start], (name, from) => {
        const at = `if(${from} = 0, 1, if(-${from} > lengthUTF8(${name}), lengthUTF8(${name}) + 1, ${from}))`;
        return `substringUTF8(${name}, ${at}${length === undefined ? '' : `, ${count(length)}`})`;
      }),
    left: (text, number) => `leftUTF8(${text}, ${count(number)})`,
    right: (text, number) => `rightUTF8(${text}, ${count(number)})`,
    length: (text) => `toInt64(lengthUTF8(${text}))`,
    lower: (text) => `lowerUTF8(${text})`,
    upper: (text) => `upperUTF8(${text})`,
    ltrim: (text) => `trim(leading ${space} from ${text})`,
    rtrim: (text) => `trim(trailing ${space} from ${text})`,
    trim: (text, number) =>
      number === undefined
        ? `trim(both ${space} from ${text})`
        : once(
            [text, count(number)],
            (name, n) => `substringUTF8(${name}, ${n} + 1, greatest(lengthUTF8(${name}) - 2 * ${n}, 0))`,
          ),
    add_millis: later(1),
    add_seconds: later(1000),
    add_minutes: later(60_000),
    add_hours: later(3_600_000),
    add_days: later(86_400_000),
    add_months: laterBy('addMonths', 4800),
    add_years: laterBy('addYears', 400),
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
    ip_address: (text) =>
      once([text], (name) => `if(${isFour(name)} or ${isSix(name)}, ${bare(name)}, null)`),
    ip_contains: (network, address) =>
      once([network, address], (a, b) => {
        const range = `concat(${bare(a)}, '/', toString(${bits(a)}))`;
        const inside = `${bits(a)} <= ${bits(b)} and isIPAddressInRange(${bare(b)}, ${range})`;
        const family = `multiIf(${isFour(a)}, ${isFour(b)}, ${isSix(a)}, ${isSix(b)}, null)`;
        return `if(${family}, ${inside}, ${family})`;
      }),
    ip_family: (text) => once([text], (name) => `multiIf(${isFour(name)}, 4, ${isSix(name)}, 6, null)`),
    ip_high_netmask_bits: bits,
  };
}
