import { VARCHAR } from '@duckdb/node-api';
import { bind, letting, type Sql, sql } from './sql.ts';

type Step = string | number;

/** The JSON at a path of the document, null where there is nothing. */
export function documentAt(steps: readonly Step[]): Sql {
  // Half a surrogate pair would become U+FFFD on its way and find a member of that name.
  if (steps.some((step) => /\p{Surrogate}/u.test(String(step)))) return sql`null::json`;
  return partsOf(steps).reduce(extract, sql`doc`);
}

type Part = readonly Step[] | { readonly member: string };

/** DuckDB takes `$."*"` for every member and refuses `$.""`: a pointer names them. */
function partsOf(steps: readonly Step[]): Part[] {
  const parts: Part[] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    if (step === '*' || step === '') parts.push({ member: step });
    else if (Array.isArray(last)) parts[parts.length - 1] = [...last, step];
    else parts.push([step]);
  }
  return parts;
}

function extract(holder: Sql, part: Part): Sql {
  // A pointer does not find these two in a list.
  if ('member' in part) return sql`json_extract(${holder}, ${bind(`/${part.member}`, VARCHAR)})`;
  const path = part.map((step) =>
    typeof step === 'number' ? `[${step}]` : `."${step.replace(/[\\"]/g, '\\$&')}"`,
  );
  return sql`json_extract(${holder}, ${bind(`$${path.join('')}`, VARCHAR)})`;
}

/** What text operators see of JSON: text itself, anything else as JSON.stringify writes it. */
export function textOfJson(json: Sql): Sql {
  return letting(
    'j',
    json,
    (value) => sql`case json_type(${value})
      when 'NULL' then null
      when 'DOUBLE' then ${numberText(sql`${value}::varchar`)}
      when 'ARRAY' then ${stringified(value)}
      when 'OBJECT' then ${stringified(value)}
      else json_extract_string(${value}, '$') end`,
  );
}

/** A number as JavaScript writes it: DuckDB's JSON has 1.0, -0.0 and 1e21, and keeps what no double can hold. */
export function numberText(number: Sql): Sql {
  return letting(
    'n',
    sql`try_cast(${number} as double)`,
    (value) => sql`case
      when ${value} = 0 then '0'
      when isinf(${value}) then 'null'
      else regexp_replace(regexp_replace(to_json(${value})::varchar, '[.]0$', ''), 'e([0-9])', 'e+\1') end`,
  );
}

/** DuckDB writes no space either; what it may write otherwise are some numbers and the case of \u001F. */
function stringified(json: Sql): Sql {
  const token = sql`t`;
  return letting(
    's',
    sql`${json}::varchar`,
    (
      text,
    ) => sql`case when not regexp_matches(${text}, '[:,\[](?:-?[0-9]+[.eE]|-?[0-9]{20}|-9[2-9][0-9]{17})|\\u') then ${text}
      else array_to_string(list_transform(
        regexp_extract_all(${text}, '"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*|[^-"0-9]+'),
        lambda ${token}: case
          when starts_with(${token}, '"') then ${withLowerEscapes(token)}
          when ${isDouble(token)} then ${numberText(token)}
          else ${token} end), '') end`,
  );
}

function isDouble(token: Sql): Sql {
  return sql`regexp_matches(${token}, '^-?[0-9]') and (regexp_matches(${token}, '[.eE]')
    or not coalesce(try_cast(${token} as hugeint) between -9223372036854775808 and 18446744073709551615, false))`;
}

function withLowerEscapes(text: Sql): Sql {
  return sql`case when not contains(${text}, '\u') then ${text}
    else array_to_string(list_transform(
      regexp_extract_all(${text}, '\\u[0-9A-F]{4}|\\.|[^\\]+'),
      lambda p: case when starts_with(p, '\u') then lower(p) else p end), '') end`;
}
