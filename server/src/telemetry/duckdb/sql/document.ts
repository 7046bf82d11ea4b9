import { VARCHAR } from '@duckdb/node-api';
import { bind, letting, type Sql, sql } from './sql.ts';

type Step = string | number;

/** The JSON at a path of the document; null if absent. */
export function documentAt(steps: readonly Step[], document: Sql = sql`doc`): Sql {
  // A lone surrogate would be encoded as U+FFFD and match a member of that name.
  if (steps.some((step) => /\p{Surrogate}/u.test(String(step)))) return sql`null::json`;
  return segmentsOf(steps).reduce(extract, document);
}

type PathSegment = readonly Step[] | { readonly member: string };

/** `$."*"` matches every member and `$.""` is an error, so these names need a JSON pointer. */
function segmentsOf(steps: readonly Step[]): PathSegment[] {
  const segments: PathSegment[] = [];
  for (const step of steps) {
    const last = segments.at(-1);
    if (step === '*' || step === '') segments.push({ member: step });
    else if (Array.isArray(last)) segments[segments.length - 1] = [...last, step];
    else segments.push([step]);
  }
  return segments;
}

function extract(holder: Sql, segment: PathSegment): Sql {
  // These pointers never match in an array.
  if ('member' in segment) return sql`json_extract(${holder}, ${bind(`/${segment.member}`, VARCHAR)})`;
  const path = segment.map((step) =>
    typeof step === 'number' ? `[${step}]` : `."${step.replace(/[\\"]/g, '\\$&')}"`,
  );
  return sql`json_extract(${holder}, ${bind(`$${path.join('')}`, VARCHAR)})`;
}

/** The string that string operators match: strings unchanged, other values as by JSON.stringify. */
export function stringOfJson(json: Sql): Sql {
  return letting(
    'j',
    json,
    (value) => sql`case json_type(${value})
      when 'NULL' then null
      when 'DOUBLE' then ${stringOfNumber(sql`${value}::varchar`)}
      when 'ARRAY' then ${stringified(value)}
      when 'OBJECT' then ${stringified(value)}
      else json_extract_string(${value}, '$') end`,
  );
}

/**
 * A number as formatted by JavaScript: DuckDB's JSON has 1.0, -0.0 and 1e21, and keeps numbers that no double can
 * hold.
 */
export function stringOfNumber(number: Sql): Sql {
  return letting(
    'n',
    sql`try_cast(${number} as double)`,
    (value) => sql`case
      when ${value} = 0 then '0'
      when isinf(${value}) then 'null'
      else regexp_replace(regexp_replace(to_json(${value})::varchar, '[.]0$', ''), 'e([0-9])', 'e+\1') end`,
  );
}

/** DuckDB's output differs only in some numbers and in the case of escapes such as \u001F. */
function stringified(json: Sql): Sql {
  const token = sql`t`;
  return letting(
    's',
    sql`${json}::varchar`,
    (
      serialized,
    ) => sql`case when not regexp_matches(${serialized}, '[:,\[](?:-?[0-9]+[.eE]|-?[0-9]{20}|-9[2-9][0-9]{17})|\\u') then ${serialized}
      else array_to_string(list_transform(
        regexp_extract_all(${serialized}, '"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*|[^-"0-9]+'),
        lambda ${token}: case
          when starts_with(${token}, '"') then ${withLowerEscapes(token)}
          when ${isDouble(token)} then ${stringOfNumber(token)}
          else ${token} end), '') end`,
  );
}

function isDouble(token: Sql): Sql {
  return sql`regexp_matches(${token}, '^-?[0-9]') and (regexp_matches(${token}, '[.eE]')
    or not coalesce(try_cast(${token} as hugeint) between -9223372036854775808 and 18446744073709551615, false))`;
}

function withLowerEscapes(literal: Sql): Sql {
  return sql`case when not contains(${literal}, '\u') then ${literal}
    else array_to_string(list_transform(
      regexp_extract_all(${literal}, '\\u[0-9A-F]{4}|\\.|[^\\]+'),
      lambda p: case when starts_with(p, '\u') then lower(p) else p end), '') end`;
}
