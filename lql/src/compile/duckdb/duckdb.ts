import type { Dialect, Sql, Statement, Writer } from '../dialect.ts';
import { functionsOf } from './functions.ts';
import { jsonWriter } from './json.ts';
import { numberWriter } from './numbers.ts';
import { hasQuery, onceIn } from './once.ts';
import { patternWriter } from './patterns.ts';
import { timestampWriter } from './timestamps.ts';

const types = {
  String: 'varchar',
  Number: 'bigint',
  Timestamp: 'bigint',
  Json: 'varchar',
  Boolean: 'boolean',
};

/** Typed, because an untyped integer parameter is compared as 128 bits, which disables row skipping. */
const parameterTypes = { string: 'VARCHAR', bigint: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN' } as const;

export const duckdb: Dialect = {
  parameter: (index, value) => `$${index}::${parameterTypes[typeof value as keyof typeof parameterTypes]}`,
  writer,
};

function writer(statement: Statement): Writer {
  const once = onceIn(statement);
  const timestamps = timestampWriter(once);
  return {
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    nullOf: (type) => `cast(null as ${types[type]})`,
    once,
    concatenated: (operands) => `(${balanced(operands)})`,
    matches: patternWriter(statement.bind, once),
    json: jsonWriter(statement, once),
    numbers: numberWriter(once),
    timestamps,
    functions: functionsOf(once, timestamps),
    booleanOfString: (string) => `case lower(${string}) when 'true' then true when 'false' then false end`,
    stringOfBoolean: (value) => `cast(${value} as varchar)`,
    inSubquery: (values, query, unknown) => {
      const names = values.map((_, at) => `k${at}`);
      const rows = `select ${names.join(', ')} from (${query}) as w where ${names.map((name) => `${name} is not null`).join(' and ')}`;
      const test = `(${tuple(values)} in (${rows}))`;
      if (!unknown) return test;
      const isNull = (all: readonly Sql[]) => all.map((sql) => `${sql} is null`).join(' or ');
      if (!values.some(hasQuery)) return `case when ${isNull(values)} then null else ${test} end`;
      // Repeating the values would double the statement for every nested subquery.
      const list = `(select list(${tuple(names)}) from (${rows}))`;
      return once([list, ...values], (all, ...own) => {
        return `case when ${isNull(own)} then null else coalesce(list_contains(${all}, ${tuple(own)}), false) end`;
      });
    },
    expanded: ({ from, alias, kept, items, item, outer }) => {
      const nullValue = '[cast(null as json)]';
      const list = outer
        ? once([items], (name) => `case when len(${name}) > 0 then ${name} else ${nullValue} end`)
        : items;
      const columns = [...kept.map(({ sql, as }) => `${sql} as ${as}`), `unnest(${list}) as ${item}`];
      return `(select ${columns.join(', ')} from ${from}) as ${alias}`;
    },
    row: (members) => {
      const parts = members.flatMap(({ label, value }) => [label, `coalesce(${value}, 'null')`]);
      return `concat(${parts.join(', ')}, '}')`;
    },
  };
}

const tuple = (values: readonly Sql[]) =>
  values.length === 1 ? (values[0] ?? '') : `(${values.join(', ')})`;

/** Balanced, because the engine limits the depth of expressions. */
function balanced(operands: readonly Sql[]): Sql {
  if (operands.length <= 2) return operands.join(' || ');
  const middle = Math.ceil(operands.length / 2);
  return `(${balanced(operands.slice(0, middle))}) || (${balanced(operands.slice(middle))})`;
}
