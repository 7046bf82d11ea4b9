import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBListValue,
  type DuckDBType,
  HUGEINT,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { ScalarTest } from '../../../search/operators.ts';
import { coerce, type Kind, type Scalar } from '../../../search/scalar.ts';
import { type Exact, integersOf } from './integers.ts';
import { bind, type Sql, sql } from './sql.ts';

/** The SQL type of a kind, and the range of integers. */
interface Storage {
  readonly kind: Kind;
  readonly type: DuckDBType;
  readonly limits?: readonly [bigint, bigint];
}

const minInteger = -(2n ** 63n);
const stringStorage: Storage = { kind: 'string', type: VARCHAR };
const doubleStorage: Storage = { kind: 'number', type: DOUBLE };
const booleanStorage: Storage = { kind: 'boolean', type: BOOLEAN };
const integerStorage: Storage = { kind: 'integer', type: BIGINT, limits: [minInteger, 2n ** 63n - 1n] };
/** DuckDB's JSON has signed and unsigned 64-bit integers; larger ones are doubles. */
const jsonIntegerStorage: Storage = { kind: 'integer', type: HUGEINT, limits: [minInteger, 2n ** 64n - 1n] };

const columnStorages = {
  string: stringStorage,
  number: doubleStorage,
  boolean: booleanStorage,
  integer: integerStorage,
  time: integerStorage,
};

/** Null or false when a typed column does not satisfy the test. */
export function compareColumn(
  column: Sql,
  type: keyof typeof columnStorages,
  test: ScalarTest,
  values: readonly Scalar[],
): Sql {
  // For long lists a subquery uses a hash table; `in` would compare each value.
  return compare(
    column,
    columnStorages[type],
    test,
    values,
    (list) => sql`${column} in (select unnest(${list}))`,
  );
}

/** An array satisfies the test if one of its elements does; the JSON type of a value determines the comparison. */
export function compareJson(json: Sql, test: ScalarTest, values: readonly Scalar[]): Sql {
  const stringValue = sql`json_extract_string(e, '$')`;
  const as = (stored: Sql, storage: Storage) =>
    compare(stored, storage, test, values, (list) => sql`list_contains(${list}, ${stored})`);
  const integers = as(sql`try_cast(${stringValue} as hugeint)`, jsonIntegerStorage);
  const holds = sql`case json_type(e)
    when 'VARCHAR' then ${as(stringValue, stringStorage)}
    when 'UBIGINT' then ${integers}
    when 'BIGINT' then ${integers}
    when 'DOUBLE' then ${as(sql`try_cast(${stringValue} as double)`, doubleStorage)}
    when 'BOOLEAN' then ${as(sql`try_cast(${stringValue} as boolean)`, booleanStorage)} end`;
  const elements = sql`case json_type(j) when 'ARRAY' then json_extract(j, '$[*]') else [j] end`;
  return sql`list_contains(flatten(list_transform([${json}], lambda j: list_transform(${elements}, lambda e: ${holds}))), true)`;
}

function compare(
  stored: Sql,
  storage: Storage,
  test: ScalarTest,
  values: readonly Scalar[],
  isIn: (list: Sql) => Sql,
): Sql {
  const { type, limits } = storage;
  if (test === 'eq' || test === 'in') {
    const wanted = wantedOf(values, storage);
    if (wanted.items.length === 0) return sql`false`;
    return wanted.items.length === 1
      ? sql`${stored} = ${bind(wanted.items[0] as Scalar, type)}`
      : isIn(bind(wanted, LIST(type)));
  }
  const operands = operandsOf(values, storage);
  const [first, second] = operands;
  if (first === undefined) return sql`false`;
  if (test === 'between' && second === undefined) return sql`false`;
  if (limits) {
    const [from, to] = integersOf(test, operands as Exact[], limits);
    if (from > to) return sql`false`;
    return sql`${stored} between ${bind(from, type)} and ${bind(to, type)}`;
  }
  const [left, right] = operands.map((value) => bind(value, type)) as [Sql, Sql];
  return test === 'between' ? sql`${stored} between ${left} and ${right}` : operators[test](stored, left);
}

function operandsOf(values: readonly Scalar[], { kind }: Storage): Scalar[] {
  return values.map((value) => coerce(value, kind)).filter((value) => value !== undefined);
}

const known = new WeakMap<readonly Scalar[], Map<Storage, DuckDBListValue>>();

/** The values within range; one list for all segments, so that a statement binds it once. */
function wantedOf(values: readonly Scalar[], storage: Storage): DuckDBListValue {
  const lists = known.get(values) ?? new Map<Storage, DuckDBListValue>();
  known.set(values, lists);
  const { limits } = storage;
  const list =
    lists.get(storage) ??
    listValue(
      [...new Set(operandsOf(values, storage))].filter((value) => !limits || isWithin(value, limits)),
    );
  lists.set(storage, list);
  return list;
}

const operators = {
  gt: (stored: Sql, value: Sql) => sql`${stored} > ${value}`,
  lt: (stored: Sql, value: Sql) => sql`${stored} < ${value}`,
  ge: (stored: Sql, value: Sql) => sql`${stored} >= ${value}`,
  le: (stored: Sql, value: Sql) => sql`${stored} <= ${value}`,
};

function isWithin(value: Scalar, [lower, upper]: readonly [bigint, bigint]): boolean {
  return typeof value === 'bigint' && value >= lower && value <= upper;
}
