import type { Sql, TimestampWriter } from '../dialect.ts';
import type { Once } from './once.ts';

/** The years 1 to 9999. */
const [first, last] = [-62135596800000n, 253402300799999n];

const parts = String.raw`(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?)?`;

export interface DuckTimestamps extends TimestampWriter {
  /** Converts to the engine's TIMESTAMP type. */
  timestamp(instant: Sql): Sql;
  of(timestamp: Sql): Sql;
  inRange(instant: Sql): Sql;
}

export function timestampWriter(once: Once): DuckTimestamps {
  const inRange = (sql: Sql) =>
    once([sql], (name) => `case when ${name} between ${first} and ${last} then ${name} end`);
  const timestamp = (sql: Sql) =>
    once(
      [sql],
      (name) => `case when ${name} between ${first} and ${last} then make_timestamp_ms(${name}) end`,
    );
  const ofSeconds = (sql: Sql) => inRange(`try_cast(cast(${sql} as hugeint) * 1000 as bigint)`);
  const ofDigits = (string: Sql) => {
    const number = `try_cast(${string} as bigint)`;
    return `case when length(${string}) = 13 then ${number} when length(${string}) <= 10 then ${ofSeconds(number)} end`;
  };
  const ofParts = (string: Sql) =>
    once([`regexp_extract(${string}, '^${parts}$', ['d', 'h', 'm', 's', 'f', 'g', 'y', 'z'])`], (part) => {
      const filled = (member: string) => `coalesce(try_cast(${part}.${member} as bigint), 0)`;
      const day = `epoch_ms(try_cast(nullif(${part}.d, '') as timestamp))`;
      const time = `${filled('h')} * 3600000 + ${filled('m')} * 60000 + ${filled('s')} * 1000`;
      const fraction = `coalesce(try_cast(left(rpad(${part}.f, 3, '0'), 3) as bigint), 0)`;
      const zone = `(${filled('y')} * 3600000 + ${filled('z')} * 60000) * case when ${part}.g = '-' then -1 else 1 end`;
      return inRange(`${day} + ${time} + ${fraction} - ${zone}`);
    });
  return {
    timestamp,
    inRange,
    of: (sql) => inRange(`epoch_ms(${sql})`),
    ofSeconds,
    ofDoubleSeconds: (sql) => inRange(`try_cast(floor(${sql} * 1000 + 0.5) as bigint)`),
    ofMilliseconds: inRange,
    ofString: (string) =>
      once(
        [string],
        (name) =>
          `case when regexp_full_match(${name}, '[0-9]{1,13}') then ${ofDigits(name)} else ${ofParts(name)} end`,
      ),
    string: (instant) => `strftime(${timestamp(instant)}, '%Y-%m-%dT%H:%M:%S.%gZ')`,
  };
}
