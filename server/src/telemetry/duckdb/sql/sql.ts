import type { DuckDBType, DuckDBValue } from '@duckdb/node-api';

/** A piece of SQL with a question mark for each value. */
export interface Sql {
  readonly sql: string;
  readonly parameters: readonly DuckDBValue[];
  /** Of the parameters: left alone, the driver takes 5 for an INTEGER and a bigint for a HUGEINT. */
  readonly types: readonly DuckDBType[];
}

/** What stands between the pieces is SQL as it is written here, backslashes too. */
export function sql(texts: TemplateStringsArray, ...chunks: readonly Sql[]): Sql {
  return {
    sql: texts.raw.map((text, at) => text + (chunks[at]?.sql ?? '')).join(''),
    parameters: chunks.flatMap(({ parameters }) => parameters),
    types: chunks.flatMap(({ types }) => types),
  };
}

/** What is quoted, or the place of a value. */
const placeOrQuoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/** The same with numbered places, where a list has one, however often it is used: binding it takes as long as it is. */
export function numbered({ sql, parameters, types }: Sql): Sql {
  const places = new Map<unknown, number>();
  const bound: { value: DuckDBValue; type: DuckDBType }[] = [];
  let next = 0;
  const text = sql.replace(placeOrQuoted, (found) => {
    if (found !== '?') return found;
    const at = next++;
    const value = parameters[at] as DuckDBValue;
    // Equal values may have different types, but not one object.
    const known = typeof value === 'object' && value !== null ? places.get(value) : undefined;
    const place = known ?? bound.push({ value, type: types[at] as DuckDBType });
    places.set(value, place);
    return `$${place}`;
  });
  return { sql: text, parameters: bound.map(({ value }) => value), types: bound.map(({ type }) => type) };
}

/** SQL without values. */
export function plain(text: string): Sql {
  return { sql: text, parameters: [], types: [] };
}

export function joined(chunks: readonly Sql[], between: string): Sql {
  return {
    sql: chunks.map((chunk) => chunk.sql).join(between),
    parameters: chunks.flatMap(({ parameters }) => parameters),
    types: chunks.flatMap(({ types }) => types),
  };
}

export function bind(value: DuckDBValue, type: DuckDBType): Sql {
  return { sql: '?', parameters: [value], types: [type] };
}

export function identifier(name: string): Sql {
  return plain(`"${name.replaceAll('"', '""')}"`);
}

/** The body with the value under a name, so that what is long to compute is computed once. */
export function letting(name: string, value: Sql, body: (name: Sql) => Sql): Sql {
  const variable = identifier(name);
  return sql`list_transform([${value}], lambda ${variable}: ${body(variable)})[1]`;
}
