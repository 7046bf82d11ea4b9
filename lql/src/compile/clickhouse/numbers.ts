import type { NumberWriter, Sql } from '../dialect.ts';
import type { Once } from './once.ts';

const blanks = String.raw`[ \\t\\n\\r\\f\\v]*`;
const double = String.raw`^${blanks}[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?${blanks}$`;

/** A mixed number is a string, since a tuple cannot be null. Columns are Int64 or Float64. */
export function numberWriter(once: Once): NumberWriter {
  const finite = (sql: Sql) => once([sql], (name) => `if(isFinite(${name}), ${name}, null)`);
  const narrowed = (sql: Sql) => `accurateCastOrNull(${sql}, 'Int64')`;
  const isNumber = (string: Sql) => `match(${string}, '${double}')`;
  const integerPart = (mixed: Sql) => `toInt64OrNull(${mixed})`;
  const doublePart = (mixed: Sql) => `toFloat64OrNull(${mixed})`;
  return {
    doubleOf: (number) => `toFloat64(${number})`,
    truncated: (number) => narrowed(`trunc(${number})`),
    mixed: (integer, number) => `coalesce(toString(${integer}), toString(${number}))`,
    integerPart,
    doublePart,
    mixedOfColumn: (column) => `toString(${column})`,
    mixedOfString: (string) => once([string], (name) => `if(${isNumber(name)}, trimBoth(${name}), null)`),
    doubleOfString: (string) =>
      finite(once([string], (name) => `if(${isNumber(name)}, ${doublePart(`trimBoth(${name})`)}, null)`)),
    zero: 'toInt64(0)',
    integer: (sign, left, right) =>
      sign === '%' ? `(toInt256(${left}) % nullIf(${right}, 0))` : `(toInt256(${left}) ${sign} ${right})`,
    exact: (numbers, body) => narrowed(body(numbers)),
    double: (sign, left, right) => `(${left} ${sign} ${sign === '%' ? `nullIf(${right}, 0)` : right})`,
    finite,
    absolute: (number) => `abs(${number})`,
    rounded: (number) => narrowed(`sign(${number}) * floor(abs(${number}) + 0.5)`),
    stringOfInteger: (number) => `toString(${number})`,
    stringOfDouble: (number) => `toString(${number})`,
    stringOfColumn: (number) => `toString(${number})`,
  };
}
