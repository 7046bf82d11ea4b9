import type { Dialect, Sql, Statement, Writer } from '../dialect.ts';
import { functionsOf } from './functions.ts';
import { jsonWriter } from './json.ts';
import { momentWriter } from './moments.ts';
import { numberWriter } from './numbers.ts';
import { hasQuery, onceIn } from './once.ts';
import { patternWriter } from './patterns.ts';

const types = {
  String: 'varchar',
  Number: 'bigint',
  Timestamp: 'bigint',
  Json: 'varchar',
  Boolean: 'boolean',
};

/** Typed, for a whole number that is bound would make the engine compare 128 bits, and read every row for it. */
const parameterTypes = { string: 'VARCHAR', bigint: 'BIGINT', number: 'DOUBLE', boolean: 'BOOLEAN' } as const;

export const duckdb: Dialect = {
  parameter: (place, value) => `$${place}::${parameterTypes[typeof value as keyof typeof parameterTypes]}`,
  writer,
};

function writer(statement: Statement): Writer {
  const once = onceIn(statement);
  const moments = momentWriter(once);
  return {
    quoted: (name) => `"${name.replaceAll('"', '""')}"`,
    nothing: (type) => `cast(null as ${types[type]})`,
    once,
    concatenated: (texts) => `(${balanced(texts)})`,
    matches: patternWriter(statement.bind, once),
    json: jsonWriter(statement, once),
    numbers: numberWriter(once),
    moments,
    functions: functionsOf(once, moments),
    booleanOfText: (text) => `case lower(${text}) when 'true' then true when 'false' then false end`,
    textOfBoolean: (value) => `cast(${value} as varchar)`,
    within: (values, query, unknown) => {
      const names = values.map((_, at) => `k${at}`);
      const rows = `select ${names.join(', ')} from (${query}) as w where ${names.map((name) => `${name} is not null`).join(' and ')}`;
      const test = `(${tuple(values)} in (${rows}))`;
      if (!unknown) return test;
      const isNull = (all: readonly Sql[]) => all.map((sql) => `${sql} is null`).join(' or ');
      if (!values.some(hasQuery)) return `case when ${isNull(values)} then null else ${test} end`;
      // Naming the values twice would double the text with every sub-query in them.
      const list = `(select list(${tuple(names)}) from (${rows}))`;
      return once([list, ...values], (all, ...own) => {
        return `case when ${isNull(own)} then null else coalesce(list_contains(${all}, ${tuple(own)}), false) end`;
      });
    },
    expanded: ({ from, alias, kept, items, item, outer }) => {
      const nothing = '[cast(null as json)]';
      const list = outer
        ? once([items], (name) => `case when len(${name}) > 0 then ${name} else ${nothing} end`)
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

/** As flat as it can be: the engine counts the depth of an expression. */
function balanced(texts: readonly Sql[]): Sql {
  if (texts.length <= 2) return texts.join(' || ');
  const middle = Math.ceil(texts.length / 2);
  return `(${balanced(texts.slice(0, middle))}) || (${balanced(texts.slice(middle))})`;
}
