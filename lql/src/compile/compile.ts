import type { CheckedQuery } from '../check/checked.ts';
import { blockOf } from './block.ts';
import type { Dialect } from './dialect.ts';
import type { CompileContext } from './expressions.ts';
import { Parameters } from './parameters.ts';
import { resultOf } from './results.ts';
import type { SourceContext } from './sources.ts';
import type { Bound, Bounds, Tables } from './tables.ts';
import { Values } from './values.ts';

export interface CompileOptions {
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly bounds: Bounds;
  /** Current time of the query, in epoch milliseconds. */
  readonly now: number;
  /** Maximum number of rows. */
  readonly limit?: number;
}

export interface Compiled {
  /** Returns one string column `row`: a JSON object of the result columns, in order. */
  readonly sql: string;
  readonly parameters: readonly Bound[];
  /** Maximum number of rows, if limited. */
  readonly limit?: number | undefined;
}

/** Compiles a query to one SQL statement. */
export function compile(query: CheckedQuery, options: CompileOptions): Compiled {
  const { rows, row, statement, writer } = rowsOf(query, options);
  return {
    sql: `select ${row()} as ${writer.quoted('row')} from (${rows}) as r`,
    parameters: statement.values,
    limit: options.limit,
  };
}

/**
 * The same for statements that work on the rows: with the columns named, as strings, and with `row` if wanted. Only for
 * columns of type String.
 */
export function compileColumns(
  query: CheckedQuery,
  options: CompileOptions,
  columns: readonly string[],
  { withRow }: { readonly withRow: boolean },
): Compiled {
  const { rows, row, statement, writer } = rowsOf(query, options);
  const named = columns.map((name) => {
    const at = query.columns.findIndex((column) => column.name === name && column.type === 'String');
    if (at < 0) throw new Error(`The query returns no string ${name}.`);
    return `r.c${at} as ${writer.quoted(name)}`;
  });
  const shown = withRow ? [...named, `${row()} as ${writer.quoted('row')}`] : named;
  return { sql: `select ${shown.join(', ')} from (${rows}) as r`, parameters: statement.values };
}

/** The rows with a column `c0`, `c1`, … for each result column, and the expression of their JSON. */
function rowsOf(query: CheckedQuery, { dialect, tables, bounds, now, limit }: CompileOptions) {
  const statement = new Parameters(dialect);
  const { bind } = statement;
  const writer = dialect.writer(statement);
  const values = new Values(writer, bind);
  const sourceContext: SourceContext = { writer, statement, tables, bounds, isOuter: true };
  const inner = { ...sourceContext, isOuter: false };
  const context: CompileContext = {
    writer,
    values,
    bind,
    now,
    subquery: (block) => blockOf(block, inner, context),
  };

  const blocks = query.blocks.map((block) => blockOf(block, sourceContext, context));
  const unique = blocks.length > 1 && query.combine === 'union';
  const compared = unique || query.blocks.some(({ distinct }) => distinct);
  const results = query.columns.map(({ name, type }, at) => {
    const blockValues = blocks.map((block) => block.values[at] ?? values.nullOf(type));
    return { name, as: `c${at}`, ...resultOf(type, blockValues, { writer, values, compared }) };
  });
  const selects = blocks.map(({ select }, at) => {
    const columns = results.map(({ sqls, as }) => `${sqls[at]} as ${as}`);
    return select(columns, query.blocks[at]?.distinct);
  });
  const unioned = selects.join(' union all ');
  const all = unique ? `select distinct * from (${unioned}) as u` : unioned;
  const rows = limit === undefined ? all : `select * from (${all}) as l limit ${bind(BigInt(limit))}`;
  const row = () =>
    writer.row(
      results.map(({ name, as, json }, at) => ({
        label: bind(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`),
        value: json(`r.${as}`),
      })),
    );
  return { rows, row, statement, writer };
}
