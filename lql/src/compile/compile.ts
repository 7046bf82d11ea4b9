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
  const { dialect, tables, bounds, now, limit } = options;
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
  const rows = unique ? `select distinct * from (${unioned}) as u` : unioned;
  const limited = limit === undefined ? rows : `select * from (${rows}) as l limit ${bind(BigInt(limit))}`;
  const row = writer.row(
    results.map(({ name, as, json }, at) => ({
      label: bind(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`),
      value: json(`r.${as}`),
    })),
  );
  return {
    sql: `select ${row} as ${writer.quoted('row')} from (${limited}) as r`,
    parameters: statement.values,
    limit,
  };
}
