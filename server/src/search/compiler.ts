import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Column, Dataset } from './dataset.ts';
import { columnOf } from './field.ts';
import type { Filter } from './filter.ts';
import { readsString, type ScalarTest } from './operators.ts';
import { type Scalar, textOf } from './scalar.ts';

export type Dialect = 'sqlite' | 'postgres';

export interface CompiledFilters {
  /** Joined by AND. */
  readonly conditions: readonly RawBuilder<SqlBool>[];
  /**
   * Filters that the databases would evaluate differently; the evaluator applies them to the rows that the conditions
   * select.
   */
  readonly remaining: readonly Filter[];
}

/** Well below the parameter limits of both databases (32,766 and 65,535). */
const maxParameters = 10_000;
const maxLikeLength = 100;

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
    if (column && isPortable(filter) && parameters + filter.values.length <= maxParameters) {
      conditions.push(compile(filter, column, dialect));
      parameters += filter.values.length;
    } else {
      remaining.push(filter);
    }
  }
  return { conditions, remaining };
}

/** Whether both databases evaluate the filter exactly like the evaluator. */
function isPortable({ type, test, values }: Filter): boolean {
  if (!readsString(test)) return type !== 'json';
  const pattern = textOf(values[0]);
  // SQLite matches U+FFFE and U+FFFF as U+FFFD. Long patterns are slow in both databases, and SQLite can not be
  // interrupted.
  return (
    type === 'string' &&
    test === 'like' &&
    pattern.length <= maxLikeLength &&
    !/[\ufffd-\uffff]/.test(pattern)
  );
}

function compile(
  { type, test, negated, values }: Filter,
  { column }: Column,
  dialect: Dialect,
): RawBuilder<SqlBool> {
  const name = sql.ref(column);
  // PostgreSQL would infer an integer parameter from an integer column, and refuse 1.5.
  const stored = type === 'number' && dialect === 'postgres' ? sql`cast(${name} as double precision)` : name;
  const condition = readsString(test)
    ? compileLike(stored, textOf(values[0]), dialect)
    : compileComparison(stored, test, values.map(toParameter));
  // A missing value makes the condition null, which only negated filters match.
  return negated ? sql<SqlBool>`not coalesce(${condition}, false)` : condition;
}

type Stored = RawBuilder<unknown>;

const comparisonOperators = { eq: sql`=`, gt: sql`>`, lt: sql`<`, ge: sql`>=`, le: sql`<=` };

function compileComparison(
  stored: Stored,
  test: ScalarTest,
  values: readonly (string | number)[],
): RawBuilder<SqlBool> {
  if (test === 'in') return sql`${stored} in (${sql.join(values)})`;
  if (test === 'between') return sql`${stored} between ${values[0]} and ${values[1]}`;
  return sql`${stored} ${comparisonOperators[test]} ${values[0]}`;
}

/** SQLite's LIKE ignores case, so GLOB replaces it; in PostgreSQL the backslash escape is disabled. */
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
