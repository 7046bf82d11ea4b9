import type { Sql, TimestampWriter } from '../dialect.ts';
import type { Once } from './once.ts';

/** Range of DateTime64, the years 1900 to 2299. */
const [first, last] = [-2208988800000n, 10413791999999n];

export interface ClickHouseTimestamps extends TimestampWriter {
  timestamp(instant: Sql): Sql;
  of(timestamp: Sql): Sql;
  inRange(instant: Sql): Sql;
}

export function timestampWriter(once: Once): ClickHouseTimestamps {
  const inRange = (sql: Sql) =>
    once([sql], (name) => `if(${name} between ${first} and ${last}, ${name}, null)`);
  const timestamp = (sql: Sql) => `fromUnixTimestamp64Milli(${inRange(sql)}, 'UTC')`;
  const ofSeconds = (sql: Sql) => inRange(`accurateCastOrNull(toInt128(${sql}) * 1000, 'Int64')`);
  return {
    timestamp,
    inRange,
    of: (sql) => inRange(`toUnixTimestamp64Milli(${sql})`),
    ofSeconds,
    ofDoubleSeconds: (sql) => inRange(`accurateCastOrNull(floor(${sql} * 1000 + 0.5), 'Int64')`),
    ofMilliseconds: inRange,
    ofString: (string) =>
      once([string], (name) => {
        const number = `toInt64OrNull(${name})`;
        const parsed = `toUnixTimestamp64Milli(parseDateTime64BestEffortOrNull(${name}, 3, 'UTC'))`;
        const isTimestamp = `match(${name}, '^\\\\d{4}-\\\\d{2}-\\\\d{2}([T ]|$)')`;
        return `multiIf(match(${name}, '^\\\\d{13}$'), ${number}, match(${name}, '^\\\\d{1,10}$'), ${ofSeconds(number)}, ${isTimestamp}, ${inRange(parsed)}, null)`;
      }),
    string: (instant) =>
      once([instant], (name) => {
        const seconds = `formatDateTime(${timestamp(name)}, '%Y-%m-%dT%H:%i:%S')`;
        return `concat(${seconds}, '.', leftPad(toString(positiveModulo(${name}, 1000)), 3, '0'), 'Z')`;
      }),
  };
}
