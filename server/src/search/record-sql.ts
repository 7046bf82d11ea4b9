import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from './compiler.ts';
import type { Column, ColumnType, Dataset } from './dataset.ts';

type Text = RawBuilder<string>;

/**
 * SQL that writes a record as JSON text, of the named members or all, as `readRecord` reads it: what is null is left
 * out. One text costs a driver less than the many columns that it is made of, and nothing has to write it again.
 */
export function recordSql(dataset: Dataset, dialect: Dialect, returns?: readonly string[] | undefined): Text {
  const members = Object.entries(dataset.columns).filter(([name]) => returns?.includes(name) ?? true);
  const present = members.filter(([, column]) => !column.optional);
  const perhaps = members.filter(([, column]) => column.optional);
  const pieces: Piece[] = [
    ...present.flatMap(([name, column], index): Piece[] => [
      `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
      value(column, dialect),
    ]),
    ...perhaps.map(([name, column]): Piece => {
      const written = joined(dialect, [`,${JSON.stringify(name)}:`, value(column, dialect)]);
      return sql<string>`case when ${sql.ref(column.column)} is null then '' else ${written} end`;
    }),
  ];
  if (pieces.length === 0) return sql.lit('{}');
  const inner = present.length > 0 ? pieces : [sql<string>`substr(${joined(dialect, pieces)}, 2)`];
  return joined(dialect, ['{', ...inner, '}']);
}

/** Text of ours, which is written into the statement, or what the store writes there. */
type Piece = string | Text;

/** SQLite writes a format in one go, where each `||` would copy what is there already. */
function joined(dialect: Dialect, pieces: readonly Piece[]): Text {
  if (dialect === 'postgres') {
    const texts = pieces.map((piece) => (typeof piece === 'string' ? sql.lit(piece) : piece));
    return sql`concat(${sql.join(texts)})`;
  }
  const format = pieces.map((piece) => (typeof piece === 'string' ? piece.replaceAll('%', '%%') : '%s'));
  const values = pieces.filter((piece) => typeof piece !== 'string');
  return sql`format(${sql.join([sql.lit(format.join('')), ...values])})`;
}

/** Moments before 1970 are negative, and so would their remainder be. */
const millisecond = (stored: RawBuilder<unknown>) => sql`((${stored} % 1000) + 1000) % 1000`;
const second = (stored: RawBuilder<unknown>) => sql`(${stored} - ${millisecond(stored)}) / 1000`;

const flag = (stored: RawBuilder<unknown>): Text => sql`case ${stored} when 1 then 'true' else 'false' end`;
const asItIs = (stored: RawBuilder<unknown>): Text => stored as Text;

const writers: Record<Dialect, Record<ColumnType, (stored: RawBuilder<unknown>) => Text>> = {
  sqlite: {
    string: (stored) => sql`json_quote(${stored})`,
    number: (stored) =>
      sql`case typeof(${stored}) when 'integer' then ${stored} else format('%!.17g', ${stored}) end`,
    boolean: flag,
    time: (stored) =>
      sql`strftime('"%Y-%m-%dT%H:%M:%S', ${second(stored)}, 'unixepoch') || format('.%03dZ"', ${millisecond(stored)})`,
    json: asItIs,
  },
  postgres: {
    string: (stored) => sql`to_json(${stored})`,
    number: (stored) => sql`to_json(${stored})`,
    boolean: flag,
    time: (stored) =>
      sql`'"' || to_char(to_timestamp(${second(stored)}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS')
        || '.' || lpad((${millisecond(stored)})::text, 3, '0') || 'Z"'`,
    json: asItIs,
  },
};

function value({ type, column }: Column, dialect: Dialect): Text {
  return writers[dialect][type](sql.ref(column));
}
