import { unsupportedSyntax } from '../../check/re2.ts';
import type { Pattern, Sql, Writer } from '../dialect.ts';
import type { Bind } from '../tables.ts';
import type { Once } from './once.ts';

/** A trailing escape character raises an error that cannot be caught. */
const trailingEscape = String.raw`(^|[^\\])(\\\\)*\\$`;
const endsWithEscape = (pattern: string) => new RegExp(trailingEscape).test(pattern);

export function patternWriter(bind: Bind, once: Once): Writer['matches'] {
  return (operator, string, pattern) => {
    if (operator === 'rlike') return fullMatch(string, pattern, bind, once);
    if ('sql' in pattern)
      return once([string, pattern.sql], (of, name) => {
        const isOpen = `regexp_matches(${name}, '${trailingEscape}')`;
        return `case when not ${isOpen} then ${of} ${operator} ${name} escape '\\' end`;
      });
    const { constant } = pattern;
    if (endsWithEscape(constant)) return `case when ${string} is null then cast(null as boolean) end`;
    // Without an escape clause the engine uses a faster substring search.
    const escaping = constant.includes('\\') ? " escape '\\'" : '';
    return `(${string} ${operator} ${bind(constant)}${escaping})`;
  };
}

/**
 * An invalid pattern raises an error. TRY turns it into null, but only for patterns that are not constant at planning
 * time and are compiled again for every row. Valid constants therefore avoid TRY.
 */
function fullMatch(string: Sql, pattern: Pattern, bind: Bind, once: Once): Sql {
  if ('constant' in pattern && isSafeConstant(pattern.constant))
    return `regexp_full_match(${string}, ${bind(pattern.constant)})`;
  const sql = 'sql' in pattern ? pattern.sql : bind(pattern.constant);
  return once([`(${string})`, `(${sql})`], (of, name) => `try(regexp_full_match(${of}, ${name}))`);
}

/** RE2 also rejects patterns that compile to large programs. */
const isSafeConstant = (pattern: string) =>
  pattern.length < 2000 && !/\{\d*,?\d{3,}/.test(pattern) && unsupportedSyntax(pattern) === undefined;
