import { refusedPart } from '../../check/re2.ts';
import type { Pattern, Sql, Writer } from '../dialect.ts';
import type { Bind } from '../tables.ts';
import type { Once } from './once.ts';

/** An escape that escapes nothing is an error that the engine does not let anybody catch. */
const openEnd = String.raw`(^|[^\\])(\\\\)*\\$`;
const isOpenEnded = (pattern: string) => new RegExp(openEnd).test(pattern);

export function patternWriter(bind: Bind, once: Once): Writer['matches'] {
  return (operator, text, pattern) => {
    if (operator === 'rlike') return fullMatch(text, pattern, bind, once);
    if ('sql' in pattern)
      return once([text, pattern.sql], (of, name) => {
        const isOpen = `regexp_matches(${name}, '${openEnd}')`;
        return `case when not ${isOpen} then ${of} ${operator} ${name} escape '\\' end`;
      });
    const { constant } = pattern;
    if (isOpenEnded(constant)) return `case when ${text} is null then cast(null as boolean) end`;
    // Without an escape the engine looks for the parts of the pattern, which is faster.
    const escaping = constant.includes('\\') ? " escape '\\'" : '';
    return `(${text} ${operator} ${bind(constant)}${escaping})`;
  };
}

/**
 * A pattern that the engine can not read is an error. TRY makes it null, but only where the pattern is not known when
 * the statement is read; then it is read anew for every row, which takes long. So a constant that is fine is no such one.
 */
function fullMatch(text: Sql, pattern: Pattern, bind: Bind, once: Once): Sql {
  if ('constant' in pattern && isFine(pattern.constant))
    return `regexp_full_match(${text}, ${bind(pattern.constant)})`;
  const sql = 'sql' in pattern ? pattern.sql : bind(pattern.constant);
  return once([`(${text})`, `(${sql})`], (of, name) => `try(regexp_full_match(${of}, ${name}))`);
}

/** RE2 also refuses what would become too large. */
const isFine = (pattern: string) =>
  pattern.length < 2000 && !/\{\d*,?\d{3,}/.test(pattern) && refusedPart(pattern) === undefined;
