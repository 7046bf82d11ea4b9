import type { NumberWriter, Sql } from '../dialect.ts';
import { hasQuery, type Once } from './once.ts';

const blanks = '[ \\t\\n\\r\\f\\v]*';
const integer = `${blanks}[+-]?[0-9]+${blanks}`;

const asDouble = (sql: Sql) => `cast(${sql} as double)`;

export function numberWriter(once: Once): NumberWriter {
  /** TRY turns an overflow error into null, but does not allow subqueries. */
  const tried = (values: readonly Sql[], body: (...names: Sql[]) => Sql) =>
    values.some(hasQuery) ? once(values, (...names) => `try(${body(...names)})`) : `try(${body(...values)})`;
  const finite = (sql: Sql) => once([sql], (name) => `case when isfinite(${name}) then ${name} end`);
  const mixed: NumberWriter['mixed'] = (w, r) => `{'w': ${w}, 'r': ${r}}`;
  const stringOfDouble = (sql: Sql) =>
    once(
      [sql],
      (name) =>
        `case when trunc(${name}) = ${name} and try_cast(${name} as bigint) is not null then cast(try_cast(${name} as bigint) as varchar) else cast(${name} as varchar) end`,
    );
  // A cast to double also accepts `1_0`, `+-1` and `inf`; a cast to integer also fractions and hexadecimal digits.
  const isPlain = (string: Sql) => `not contains(${string}, '_') and not contains(${string}, '+-')`;
  const isNumber = (string: Sql) => `${isPlain(string)} and isfinite(try_cast(${string} as double))`;
  const isInteger = (string: Sql) => `regexp_full_match(${string}, '${integer}')`;
  return {
    doubleOf: asDouble,
    truncated: (number) => `try_cast(trunc(${number}) as bigint)`,
    mixed,
    integerPart: (sql) => `struct_extract(${sql}, 'w')`,
    doublePart: (sql) => `struct_extract(${sql}, 'r')`,
    mixedOfColumn: (column) =>
      once([column], (name) => {
        const integerPart = `case when typeof(${name}) <> 'DOUBLE' then try_cast(${name} as bigint) end`;
        return `case when ${name} is not null then ${mixed(integerPart, asDouble(name))} end`;
      }),
    mixedOfString: (string) =>
      once([string], (name) => {
        const integerPart = `case when ${isInteger(name)} then try_cast(${name} as bigint) end`;
        return `case when ${isNumber(name)} then ${mixed(integerPart, `try_cast(${name} as double)`)} end`;
      }),
    // A single cast per string, because casts dominate the cost.
    doubleOfString: (string) =>
      finite(once([string], (name) => `case when ${isPlain(name)} then try_cast(${name} as double) end`)),
    zero: 'cast(0 as bigint)',
    integer: (sign, left, right) => `(${left} ${sign} ${right})`,
    exact: (numbers, body) => tried(numbers, (...names) => body(names)),
    double: (sign, left, right) => `(${left} ${sign} ${right})`,
    finite,
    absolute: (number) => tried([number], (name) => `abs(${name})`),
    rounded: (number) => `try_cast(round(${number}) as bigint)`,
    stringOfInteger: (number) => `cast(${number} as varchar)`,
    stringOfDouble,
    stringOfColumn: (number) =>
      once(
        [number],
        (name) =>
          `case when typeof(${name}) = 'DOUBLE' then ${stringOfDouble(asDouble(name))} else cast(${name} as varchar) end`,
      ),
  };
}
