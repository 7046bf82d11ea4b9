import { INTEGER, VARCHAR } from '@duckdb/node-api';
import type { StringTest } from '../../../search/operators.ts';
import { bind, letting, type Sql, sql } from './sql.ts';

/** For longer patterns the length of the string is checked first. */
const longPattern = 64;

/** Null or false if the string does not match. */
export function matchString(subject: Sql, test: StringTest, pattern: string): Sql {
  if (test === 'rlike') return fullMatch(subject, withPythonNames(pattern));
  const fold = test === 'ilike' ? casesOf : (character: string) => [character];
  const units = [...normalised(pattern)].map((unit) => (isWildcard(unit) ? unit : fold(unit)));
  return matchPlain(subject, units) ?? matchUnits(subject, units);
}

type Unit = '%' | '_' | readonly string[];

function isWildcard(unit: string): unit is '%' | '_' {
  return unit === '%' || unit === '_';
}

/** `%_%` equals `_%`: adjacent % are merged. */
function normalised(pattern: string): string {
  return pattern.replace(/[%_]*%[%_]*/g, (run) => `${run.replaceAll('%', '')}%`);
}

/** For common patterns, without _ and with % only at the ends. */
function matchPlain(subject: Sql, units: readonly Unit[]): Sql | undefined {
  const starts = units[0] === '%';
  const ends = units.length > 1 && units.at(-1) === '%';
  const inner = units.slice(Number(starts), ends ? -1 : undefined);
  if (inner.some((unit) => unit.length !== 1 || isWildcard(unit as string))) return undefined;
  const literal = bind(inner.join(''), VARCHAR);
  if (starts && inner.length === 0) return sql`${subject} is not null`;
  if (starts && ends) return sql`contains(${subject}, ${literal})`;
  if (starts) return sql`ends_with(${subject}, ${literal})`;
  return ends ? sql`starts_with(${subject}, ${literal})` : sql`${subject} = ${literal}`;
}

/**
 * A regular expression, because DuckDB's LIKE backtracks over every % (2,500 of them never finish) and its ILIKE
 * folds case differently from JavaScript.
 */
function matchUnits(subject: Sql, units: readonly Unit[]): Sql {
  const expression = units.map((unit) => (unit === '%' ? '.*' : unit === '_' ? '.' : oneOf(unit))).join('');
  const shortest = units.filter((unit) => unit !== '%').length;
  if (shortest <= longPattern) return fullMatch(subject, expression);
  return letting(
    'x',
    subject,
    (value) =>
      sql`case when length(${value}) >= ${bind(shortest, INTEGER)} then ${fullMatch(value, expression)} end`,
  );
}

function oneOf(characters: readonly string[]): string {
  const codes = characters.map((character) => `\\x{${character.codePointAt(0)?.toString(16)}}`);
  return codes.length === 1 ? (codes[0] as string) : `[${codes.join('')}]`;
}

/** The dot matches line breaks. */
function fullMatch(subject: Sql, expression: string): Sql {
  return sql`regexp_full_match(${subject}, ${bind(expression, VARCHAR)}, 's')`;
}

/** DuckDB's RE2 supports only `(?P<name>`; character classes, quotes and escapes are left unchanged. */
function withPythonNames(pattern: string): string {
  const tokens = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:[^\]]*:\]|\\.|[^\]\\])*\]|\(\?<(?=\w)/gs;
  return pattern.replace(tokens, (token) => (token === '(?<' ? '(?P<' : token));
}

let cases: ReadonlyMap<string, readonly string[]> | undefined;

/** The characters with the same lower case in JavaScript, as ilike compares them. */
function casesOf(character: string): readonly string[] {
  cases ??= readCases();
  return cases.get(character.toLowerCase()) ?? [character];
}

function readCases(): Map<string, string[]> {
  const byLowerCase = new Map<string, string[]>();
  // Characters beyond have no case, and scanning all would block for a tenth of a second.
  for (let code = 0; code <= 0x1ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const lower = character.toLowerCase();
    if (lower === character) continue;
    const variants = byLowerCase.get(lower) ?? (Array.from(lower).length === 1 ? [lower] : []);
    byLowerCase.set(lower, [...variants, character]);
  }
  return byLowerCase;
}
