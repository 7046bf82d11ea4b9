import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './compiler.ts';
import type { Column, ColumnType, Dataset } from './dataset.ts';

const known = new Map<Dialect, WeakMap<Dataset, RawBuilder<string>>>();

/**
 * SQL that writes a record as JSON text, of the named members or all, as `readRecord` reads it: what is null is left
 * out. One text costs a driver less than the many columns that it is made of, and nothing has to write it again.
 */
export function recordSql(
  dataset: Dataset,
  dialect: Dialect,
  returns?: readonly string[] | undefined,
): RawBuilder<string> {
  if (returns) return sql.raw(textOf(dataset, dialect, returns));
  const ofDialect = known.get(dialect) ?? new WeakMap();
  const whole = ofDialect.get(dataset) ?? sql.raw<string>(textOf(dataset, dialect, undefined));
  known.set(dialect, ofDialect.set(dataset, whole));
  return whole;
}

/** Names of ours only, and no values: the text is the same for every request. */
function textOf(dataset: Dataset, dialect: Dialect, returns: readonly string[] | undefined): string {
  const members = Object.entries(dataset.columns).filter(([name]) => returns?.includes(name) ?? true);
  const present = members.filter(([, column]) => !column.optional);
  const perhaps = members.filter(([, column]) => column.optional);
  const chunks: Chunk[] = [
    ...present.flatMap(([name, column], index): Chunk[] => [
      `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
      { written: value(column, dialect) },
    ]),
    ...perhaps.map(([name, column]): Chunk => ({ written: perhapsWritten(name, column, dialect) })),
  ];
  if (chunks.length === 0) return quotedText('{}');
  const inner = present.length > 0 ? chunks : [{ written: `substr(${joined(dialect, chunks)}, 2)` }];
  return joined(dialect, ['{', ...inner, '}']);
}

/** SQLite formats what is null as nothing, so what stays null when it is written needs no condition. */
function perhapsWritten(name: string, column: Column, dialect: Dialect): string {
  const label = `,${JSON.stringify(name)}:`;
  const written = value(column, dialect);
  if (dialect === 'sqlite' && staysNull.has(column.type)) return `${quotedText(label)} || ${written}`;
  const whole = joined(dialect, [label, { written }]);
  return `case when ${quotedName(column.column)} is null then '' else ${whole} end`;
}

const staysNull: ReadonlySet<ColumnType> = new Set(['time', 'json']);

/** Text that stands there as it is, or what the store writes there. */
type Chunk = string | { readonly written: string };

/** SQLite writes a format in one go, where each `||` would copy what is there already. */
function joined(dialect: Dialect, chunks: readonly Chunk[]): string {
  if (dialect === 'postgres') {
    return `concat(${chunks.map((chunk) => (typeof chunk === 'string' ? quotedText(chunk) : chunk.written)).join(', ')})`;
  }
  const format = chunks.map((chunk) => (typeof chunk === 'string' ? chunk.replaceAll('%', '%%') : '%s'));
  const values = chunks.flatMap((chunk) => (typeof chunk === 'string' ? [] : [chunk.written]));
  return `format(${[quotedText(format.join('')), ...values].join(', ')})`;
}

/** Moments before 1970 are negative, and so would their remainder be. */
const millisecond = (stored: string) => `((${stored} % 1000) + 1000) % 1000`;
const second = (stored: string) => `(${stored} - ${millisecond(stored)}) / 1000`;

const flag = (stored: string) => `case ${stored} when 1 then 'true' else 'false' end`;
const asItIs = (stored: string) => stored;

const writers: Record<Dialect, Record<ColumnType, (stored: string) => string>> = {
  sqlite: {
    string: (stored) => `json_quote(${stored})`,
    number: (stored) =>
      `case typeof(${stored}) when 'integer' then ${stored} else format('%!.17g', ${stored}) end`,
    boolean: flag,
    // A third of the time of strftime. It counts in milliseconds inside, so the fraction is exact.
    time: (stored) => `'"' || replace(datetime(${stored} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z"'`,
    json: asItIs,
  },
  postgres: {
    string: (stored) => `to_json(${stored})`,
    number: (stored) => `to_json(${stored})`,
    boolean: flag,
    time: (stored) =>
      `'"' || to_char(to_timestamp(${second(stored)}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS')
        || '.' || lpad((${millisecond(stored)})::text, 3, '0') || 'Z"'`,
    json: asItIs,
  },
};

function value({ type, column }: Column, dialect: Dialect): string {
  return writers[dialect][type](quotedName(column));
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
