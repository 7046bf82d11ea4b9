import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Column, Dataset } from './dataset.ts';
import { columnOf } from './field.ts';
import type { Filter } from './filter.ts';
import { readsText, type ScalarTest } from './operators.ts';
import { type Scalar, textOf } from './scalar.ts';

export type Dialect = 'sqlite' | 'postgres';

export interface CompiledFilters {
  /** All must hold. */
  readonly conditions: readonly RawBuilder<SqlBool>[];
  /** What the stores would not say alike: the evaluator applies these to the rows that the conditions let through. */
  readonly remaining: readonly Filter[];
}

/** Well below what a statement may carry on either store (32,766 and 65,535). */
const mostParameters = 10_000;
const longestLike = 100;

export function compileFilters(
  filters: readonly Filter[],
  dataset: Dataset,
  dialect: Dialect,
): CompiledFilters {
  const conditions: RawBuilder<SqlBool>[] = [];
  const remaining: Filter[] = [];
  let parameters = 0;
  for (const filter of filters) {
    const column = columnOf(dataset, filter.path.field);
    if (column && isAlike(filter) && parameters + filter.values.length <= mostParameters) {
      conditions.push(compile(filter, column, dialect));
      parameters += filter.values.length;
    } else {
      remaining.push(filter);
    }
  }
  return { conditions, remaining };
}

/** Whether both stores answer the filter as the evaluator does. */
function isAlike({ type, test, values }: Filter): boolean {
  if (!readsText(test)) return type !== 'json';
  const pattern = textOf(values[0]);
  // SQLite's pattern matching takes U+FFFE and U+FFFF for U+FFFD. A long pattern takes both stores long, and SQLite can not
  // be interrupted.
  return (
    type === 'string' && test === 'like' && pattern.length <= longestLike && !/[\ufffd-\uffff]/.test(pattern)
  );
}

function compile(
  { type, test, negated, values }: Filter,
  { column }: Column,
  dialect: Dialect,
): RawBuilder<SqlBool> {
  const name = sql.ref(column);
  // PostgreSQL would take the parameter for an integer, as the column may be, and refuse 1.5.
  const stored = type === 'number' && dialect === 'postgres' ? sql`cast(${name} as double precision)` : name;
  const condition = readsText(test)
    ? compileLike(stored, textOf(values[0]), dialect)
    : compileComparison(stored, test, values.map(toParameter));
  // An absent value makes the condition null: it satisfies what is negated and nothing else.
  return negated ? sql<SqlBool>`not coalesce(${condition}, false)` : condition;
}

type Stored = RawBuilder<unknown>;

const signs = { eq: sql`=`, gt: sql`>`, lt: sql`<`, ge: sql`>=`, le: sql`<=` };

function compileComparison(
  stored: Stored,
  test: ScalarTest,
  values: readonly (string | number)[],
): RawBuilder<SqlBool> {
  if (test === 'in') return sql`${stored} in (${sql.join(values)})`;
  if (test === 'between') return sql`${stored} between ${values[0]} and ${values[1]}`;
  return sql`${stored} ${signs[test]} ${values[0]}`;
}

/** SQLite's LIKE ignores case, so GLOB stands for it; in PostgreSQL a backslash must lose its meaning. */
function compileLike(stored: Stored, pattern: string, dialect: Dialect): RawBuilder<SqlBool> {
  return dialect === 'sqlite'
    ? sql`${stored} glob ${toGlob(pattern)}`
    : sql`${stored} like ${pattern} escape ''`;
}

function toGlob(pattern: string): string {
  return pattern.replace(/[*?[]/g, '[$&]').replaceAll('%', '*').replaceAll('_', '?');
}

function toParameter(value: Scalar): string | number {
  return typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : value;
}
