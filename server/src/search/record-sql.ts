import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './compiler.ts';
import type { Column, ColumnType, Dataset } from './dataset.ts';

const cache = new Map<Dialect, WeakMap<Dataset, RawBuilder<string>>>();

/**
 * SQL expression that serialises a record as JSON, with the requested members or all, omitting nulls as `readRecord`
 * does. One string costs a driver less than many columns, and is not serialised again.
 */
export function recordSql(
  dataset: Dataset,
  dialect: Dialect,
  returns?: readonly string[] | undefined,
): RawBuilder<string> {
  if (returns) return sql.raw(recordExpression(dataset, dialect, returns));
  const byDataset = cache.get(dialect) ?? new WeakMap();
  const allMembers = byDataset.get(dataset) ?? sql.raw<string>(recordExpression(dataset, dialect, undefined));
  cache.set(dialect, byDataset.set(dataset, allMembers));
  return allMembers;
}

/** Contains only declared names and no values: the SQL is the same for every request. */
function recordExpression(
  dataset: Dataset,
  dialect: Dialect,
  returns: readonly string[] | undefined,
): string {
  const members = Object.entries(dataset.columns).filter(([name]) => returns?.includes(name) ?? true);
  const required = members.filter(([, column]) => !column.optional);
  const optional = members.filter(([, column]) => column.optional);
  const chunks: Chunk[] = [
    ...required.flatMap(([name, column], index): Chunk[] => [
      `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
      { expression: value(column, dialect) },
    ]),
    ...optional.map(([name, column]): Chunk => ({ expression: optionalMember(name, column, dialect) })),
  ];
  if (chunks.length === 0) return quotedLiteral('{}');
  const inner =
    required.length > 0 ? chunks : [{ expression: `substr(${concatenated(dialect, chunks)}, 2)` }];
  return concatenated(dialect, ['{', ...inner, '}']);
}

/** SQLite formats null as an empty string, so types whose serialisation keeps null need no condition. */
function optionalMember(name: string, column: Column, dialect: Dialect): string {
  const label = `,${JSON.stringify(name)}:`;
  const expression = value(column, dialect);
  if (dialect === 'sqlite' && keepsNull.has(column.type)) return `${quotedLiteral(label)} || ${expression}`;
  const allMembers = concatenated(dialect, [label, { expression }]);
  return `case when ${quotedName(column.column)} is null then '' else ${allMembers} end`;
}

const keepsNull: ReadonlySet<ColumnType> = new Set(['time', 'json']);

/** A literal string, or an SQL expression. */
type Chunk = string | { readonly expression: string };

/** SQLite's format builds the string once, while each `||` copies it. */
function concatenated(dialect: Dialect, chunks: readonly Chunk[]): string {
  if (dialect === 'postgres') {
    return `concat(${chunks.map((chunk) => (typeof chunk === 'string' ? quotedLiteral(chunk) : chunk.expression)).join(', ')})`;
  }
  const format = chunks.map((chunk) => (typeof chunk === 'string' ? chunk.replaceAll('%', '%%') : '%s'));
  const values = chunks.flatMap((chunk) => (typeof chunk === 'string' ? [] : [chunk.expression]));
  return `format(${[quotedLiteral(format.join('')), ...values].join(', ')})`;
}

/** Timestamps before 1970 are negative, and so would be their remainder. */
const millisecond = (stored: string) => `((${stored} % 1000) + 1000) % 1000`;
const second = (stored: string) => `(${stored} - ${millisecond(stored)}) / 1000`;

const flag = (stored: string) => `case ${stored} when 1 then 'true' else 'false' end`;
const unchanged = (stored: string) => stored;

const serializers: Record<Dialect, Record<ColumnType, (stored: string) => string>> = {
  sqlite: {
    string: (stored) => `json_quote(${stored})`,
    number: (stored) =>
      `case typeof(${stored}) when 'integer' then ${stored} else format('%!.17g', ${stored}) end`,
    boolean: flag,
    // Takes a third of the time of strftime. SQLite computes in milliseconds, so the fraction is exact.
    time: (stored) => `'"' || replace(datetime(${stored} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z"'`,
    json: unchanged,
  },
  postgres: {
    string: (stored) => `to_json(${stored})`,
    number: (stored) => `to_json(${stored})`,
    boolean: flag,
    time: (stored) =>
      `'"' || to_char(to_timestamp(${second(stored)}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS')
        || '.' || lpad((${millisecond(stored)})::text, 3, '0') || 'Z"'`,
    json: unchanged,
  },
};

function value({ type, column }: Column, dialect: Dialect): string {
  return serializers[dialect][type](quotedName(column));
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quotedLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
