import type { Sql, Statement } from '../dialect.ts';

export type Once = (values: readonly Sql[], body: (...names: Sql[]) => Sql) => Sql;

const isShort = (sql: Sql) => /^\{\w+:\w+\}$|^[\w.]+$|^\w+\."[^"]*"$/.test(sql);

export function onceIn(statement: Statement): Once {
  return (values, body) => {
    const named = values.map((sql) => ({ sql, name: isShort(sql) ? sql : statement.freshName('v') }));
    const long = named.filter(({ sql, name }) => sql !== name);
    const result = body(...named.map(({ name }) => name));
    if (long.length === 0) return result;
    const names = long.map(({ name }) => name).join(', ');
    return `arrayMap((${names}) -> ${result}, ${long.map(({ sql }) => `[${sql}]`).join(', ')})[1]`;
  };
}
