import type { Sql, Writer } from '../dialect.ts';
import { hasQuery, type Once } from './once.ts';

/** An escape that escapes nothing is an error that the engine does not let anybody catch. */
const openEnd = String.raw`(^|[^\\])(\\\\)*\\$`;
const isOpenEnded = (pattern: string) => new RegExp(openEnd).test(pattern);

export function patternWriter(once: Once): Writer['matches'] {
  return (operator, text, { sql, constant }) => {
    if (operator === 'rlike') return fullMatch(text, sql, once);
    if (constant === undefined)
      return once([text, sql], (of, pattern) => {
        const isOpen = `regexp_matches(${pattern}, '${openEnd}')`;
        return `case when not ${isOpen} then ${of} ${operator} ${pattern} escape '\\' end`;
      });
    if (isOpenEnded(constant)) return 'cast(null as boolean)';
    // Without an escape the engine looks for the parts of the pattern, which is faster.
    return constant.includes('\\')
      ? `(${text} ${operator} ${sql} escape '\\')`
      : `(${text} ${operator} ${sql})`;
  };
}

/** A pattern that can not be read is an error, which TRY makes null. */
function fullMatch(text: Sql, pattern: Sql, once: Once): Sql {
  const test = (a: Sql, b: Sql) => `try(regexp_full_match(${a}, ${b}))`;
  return [text, pattern].some(hasQuery) ? once([text, pattern], test) : test(text, pattern);
}
