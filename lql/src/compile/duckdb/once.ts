import type { Sql, Statement } from '../dialect.ts';

export type Once = (values: readonly Sql[], body: (...names: Sql[]) => Sql) => Sql;

const maxNameLength = 1_000;

/** A column, a parameter or a name, which needs no alias. The length check avoids matching long strings. */
const isShort = (sql: Sql) => sql.length <= maxNameLength && /^[\w$.:]+$|^\w+\."[^"]*"$/.test(sql);

/** A lambda over one item. Cheaper than computing a value twice, and keeps the statement linear in the query. */
export function onceIn(statement: Statement): Once {
  return (values, body) => {
    const unnamed = values.filter((sql) => !isShort(sql));
    if (unnamed.length === 0) return body(...values);
    const name = statement.freshName('v');
    const namesBySql = new Map(
      unnamed.map((sql, at) => [sql, unnamed.length === 1 ? name : `${name}.f${at}`]),
    );
    const names = values.map((sql) => namesBySql.get(sql) ?? sql);
    const operands =
      unnamed.length === 1 ? unnamed[0] : `{${unnamed.map((sql, at) => `'f${at}': ${sql}`).join(', ')}}`;
    return `list_transform([${operands}], lambda ${name}: ${body(...names)})[1]`;
  };
}

/** Subqueries are not allowed in lambdas and TRY. */
export const hasQuery = (sql: Sql) => /\bselect\b/.test(sql);
