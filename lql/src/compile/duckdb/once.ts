import type { Sql, Statement } from '../dialect.ts';

export type Once = (values: readonly Sql[], body: (...names: Sql[]) => Sql) => Sql;

const longestName = 1_000;

/** A column, a parameter or a name: as short as a name for it would be. Looking at long ones would take long. */
const isShort = (sql: Sql) => sql.length <= longestName && /^[\w$.:]+$|^\w+\."[^"]*"$/.test(sql);

/** A function of one row. It costs less than computing a value twice, and keeps the text as long as the query. */
export function onceIn(statement: Statement): Once {
  return (values, body) => {
    const long = values.filter((sql) => !isShort(sql));
    if (long.length === 0) return body(...values);
    const name = statement.fresh('v');
    const places = new Map(long.map((sql, at) => [sql, long.length === 1 ? name : `${name}.f${at}`]));
    const names = values.map((sql) => places.get(sql) ?? sql);
    const packed = long.length === 1 ? long[0] : `{${long.map((sql, at) => `'f${at}': ${sql}`).join(', ')}}`;
    return `list_transform([${packed}], lambda ${name}: ${body(...names)})[1]`;
  };
}

/** What lambdas and TRY may not hold. */
export const hasQuery = (sql: Sql) => /\bselect\b/.test(sql);
