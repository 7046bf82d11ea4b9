import type { NumberWriter, Sql } from '../dialect.ts';
import type { Once } from './once.ts';

const blanks = String.raw`[ \\t\\n\\r\\f\\v]*`;
const real = String.raw`^${blanks}[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?${blanks}$`;

/** A mixed number is a string, since a tuple cannot be null. Columns are Int64 or Float64. */
export function numberWriter(once: Once): NumberWriter {
  const finite = (sql: Sql) => once([sql], (name) => `if(isFinite(${name}), ${name}, null)`);
  const narrowed = (sql: Sql) => `accurateCastOrNull(${sql}, 'Int64')`;
  const isNumber = (text: Sql) => `match(${text}, '${real}')`;
  const wholePart = (mixed: Sql) => `toInt64OrNull(${mixed})`;
  const realPart = (mixed: Sql) => `toFloat64OrNull(${mixed})`;
  return {
    realOf: (number) => `toFloat64(${number})`,
    truncated: (number) => narrowed(`trunc(${number})`),
    mixed: (whole, number) => `coalesce(toString(${whole}), toString(${number}))`,
    wholePart,
    realPart,
    mixedOfColumn: (column) => `toString(${column})`,
    mixedOfString: (text) => once([text], (name) => `if(${isNumber(name)}, trimBoth(${name}), null)`),
    realOfString: (text) =>
      finite(once([text], (name) => `if(${isNumber(name)}, ${realPart(`trimBoth(${name})`)}, null)`)),
    zero: 'toInt64(0)',
    whole: (sign, left, right) =>
      sign === '%' ? `(toInt256(${left}) % nullIf(${right}, 0))` : `(toInt256(${left}) ${sign} ${right})`,
    exact: (numbers, body) => narrowed(body(numbers)),
    real: (sign, left, right) => `(${left} ${sign} ${sign === '%' ? `nullIf(${right}, 0)` : right})`,
    finite,
    absolute: (number) => `abs(${number})`,
    rounded: (number) => narrowed(`sign(${number}) * floor(abs(${number}) + 0.5)`),
    stringOfWhole: (number) => `toString(${number})`,
    stringOfReal: (number) => `toString(${number})`,
    stringOfColumn: (number) => `toString(${number})`,
  };
}
