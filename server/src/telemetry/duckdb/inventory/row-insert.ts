import { type DuckDBConnection, type DuckDBType, type DuckDBValue, LIST, listValue } from '@duckdb/node-api';
import { unreadable } from './text-columns.ts';

/** A column, and its value in a row. JSON is validated by a cast, which keeps the string unchanged. */
export type RowColumn<Row> = readonly [
  name: string,
  type: DuckDBType,
  value: (row: Row) => DuckDBValue,
  isJson?: boolean,
];

const bytesAtOnce = 16 * 1024 * 1024;

/** Inserts rows in the connection's transaction, in chunks that fit into memory. */
export class RowInsert<Row> {
  readonly #columns: readonly RowColumn<Row>[];
  readonly #sql: string;
  readonly #types: Record<string, DuckDBType>;

  constructor(table: string, columns: readonly RowColumn<Row>[]) {
    this.#columns = columns;
    const values = columns.map(([, , , isJson], at) => `unnest($c${at})${isJson ? '::json::varchar' : ''}`);
    this.#sql = `insert into ${table} (${columns.map(([name]) => name).join(', ')}) select ${values.join(', ')}`;
    this.#types = Object.fromEntries(columns.map(([, type], at) => [`c${at}`, LIST(type)]));
  }

  async run(
    connection: DuckDBConnection,
    rows: readonly Row[],
    bytesOf: (row: Row) => number,
  ): Promise<void> {
    for (let from = 0; from < rows.length; ) {
      let [to, bytes] = [from, 0];
      for (; to < rows.length && bytes < bytesAtOnce; to++) bytes += bytesOf(rows[to] as Row);
      const some = rows.slice(from, to);
      const values = this.#columns.map(([, , value], at) => [`c${at}`, listValue(some.map(value))] as const);
      await connection.run(this.#sql, Object.fromEntries(values), this.#types).catch(refuseUnreadable);
      from = to;
    }
  }
}

/** As a value of a column that may be null. */
export function integerOrNull(value: number | undefined): bigint | null {
  return value === undefined ? null : BigInt(value);
}

export function refuseUnreadable(error: unknown): never {
  if (!/^(Conversion|Invalid Input) Error/.test(String((error as Error).message))) throw error;
  throw unreadable();
}
