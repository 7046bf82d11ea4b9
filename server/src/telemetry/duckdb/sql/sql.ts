import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';

/** An SQL fragment with a question mark for each parameter. */
export interface Sql {
  readonly sql: string;
  readonly parameters: readonly DuckDBValue[];
  /** By default the driver binds 5 as INTEGER and a bigint as HUGEINT. */
  readonly types: readonly DuckDBType[];
}

/** Literal parts are raw SQL, including backslashes. */
export function sql(strings: TemplateStringsArray, ...fragments: readonly Sql[]): Sql {
  return {
    sql: strings.raw.map((literal, at) => literal + (fragments[at]?.sql ?? '')).join(''),
    parameters: fragments.flatMap(({ parameters }) => parameters),
    types: fragments.flatMap(({ types }) => types),
  };
}

/** A quoted string or identifier, or a placeholder. */
const quotedOrPlaceholder = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/**
 * Numbers the placeholders and binds a list once, however often it is used: binding takes time linear in its
 * length.
 */
export function numbered({ sql, parameters, types }: Sql): Sql {
  const numbers = new Map<unknown, number>();
  const bound: { value: DuckDBValue; type: DuckDBType }[] = [];
  let next = 0;
  const numberedSql = sql.replace(quotedOrPlaceholder, (match) => {
    if (match !== '?') return match;
    const at = next++;
    const value = parameters[at] as DuckDBValue;
    // Deduplicated by identity: equal scalars may have different types.
    const known = typeof value === 'object' && value !== null ? numbers.get(value) : undefined;
    const number = known ?? bound.push({ value, type: types[at] as DuckDBType });
    numbers.set(value, number);
    return `$${number}`;
  });
  return {
    sql: numberedSql,
    parameters: bound.map(({ value }) => value),
    types: bound.map(({ type }) => type),
  };
}

/** SQL without parameters. */
export function plain(raw: string): Sql {
  return { sql: raw, parameters: [], types: [] };
}

export function joined(fragments: readonly Sql[], between: string): Sql {
  return {
    sql: fragments.map((fragment) => fragment.sql).join(between),
    parameters: fragments.flatMap(({ parameters }) => parameters),
    types: fragments.flatMap(({ types }) => types),
  };
}

export function bind(value: DuckDBValue, type: DuckDBType): Sql {
  return { sql: '?', parameters: [value], types: [type] };
}

export function identifier(name: string): Sql {
  return plain(`"${name.replaceAll('"', '""')}"`);
}

/** Binds the value to a name in the body, so that it is computed once. */
export function letting(name: string, value: Sql, body: (name: Sql) => Sql): Sql {
  const variable = identifier(name);
  return sql`list_transform([${value}], lambda ${variable}: ${body(variable)})[1]`;
}
