import { unsupportedSyntax } from '../../check/re2.ts';
import type { Dialect, Sql, Statement, Writer } from '../dialect.ts';
import { functionsOf } from './functions.ts';
import { jsonWriter } from './json.ts';
import { numberWriter } from './numbers.ts';
import { onceIn } from './once.ts';
import { timestampWriter } from './timestamps.ts';

const types = { String: 'String', Number: 'Int64', Timestamp: 'Int64', Json: 'String', Boolean: 'Bool' };
const parameterTypes = { string: 'String', bigint: 'Int64', number: 'Float64', boolean: 'Bool' } as const;

/**
 * Columns must be Nullable, so that left joins give nulls. Not used by the server yet: it keeps engine specifics out of
 * the compiler.
 */
export const clickhouse: Dialect = {
  parameter: (index, value) => `{p${index}:${parameterTypes[typeof value as keyof typeof parameterTypes]}}`,
  writer,
};

function writer(statement: Statement): Writer {
  const { bind } = statement;
  const once = onceIn(statement);
  const timestamps = timestampWriter(once);
  const nullOf = (type: keyof typeof types) => `cast(null as Nullable(${types[type]}))`;
  return {
    quoted: (name) => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
    nullOf,
    once,
    concatenated: (operands) => `concat(${operands.join(', ')})`,
    matches: (operator, string, pattern) => {
      if (operator !== 'rlike') {
        const sql = 'sql' in pattern ? pattern.sql : bind(pattern.constant);
        return `${operator}(${string}, ${sql})`;
      }
      // An invalid pattern raises an error that cannot be caught, so only validated constants run.
      if ('sql' in pattern) return once([string, pattern.sql], () => nullOf('Boolean'));
      if (unsupportedSyntax(pattern.constant)) return `if(${string} is null, ${nullOf('Boolean')}, null)`;
      return `match(${string}, ${bind(`^(?:${pattern.constant})$`)})`;
    },
    json: jsonWriter(statement, once),
    numbers: numberWriter(once),
    timestamps,
    functions: functionsOf(once, timestamps),
    booleanOfString: (string) =>
      once(
        [`lowerUTF8(${string})`],
        (word) => `multiIf(${word} = 'true', true, ${word} = 'false', false, null)`,
      ),
    stringOfBoolean: (value) => `if(${value}, 'true', if(${value} is null, null, 'false'))`,
    inSubquery: (values, query, unknown) => {
      const names = values.map((_, at) => `k${at}`);
      const known = names.map((name) => `${name} is not null`).join(' and ');
      const rows = `select ${names.join(', ')} from (${query}) as w where ${known}`;
      const test = `(${tuple(values)} in (${rows}))`;
      const isNull = values.map((sql) => `${sql} is null`).join(' or ');
      return unknown ? `if(${isNull}, null, ${test})` : test;
    },
    expanded: ({ from, alias, kept, items, item, outer }) => {
      const list = outer ? once([items], (name) => `if(empty(${name}), [null], ${name})`) : items;
      const columns = [...kept.map(({ sql, as }) => `${sql} as ${as}`), `arrayJoin(${list}) as ${item}`];
      return `(select ${columns.join(', ')} from ${from}) as ${alias}`;
    },
    row: (members) => {
      const parts = members.flatMap(({ label, value }) => [label, `ifNull(${value}, 'null')`]);
      return `concat(${parts.join(', ')}, '}')`;
    },
  };
}

const tuple = (values: readonly Sql[]) =>
  values.length === 1 ? (values[0] ?? '') : `(${values.join(', ')})`;
