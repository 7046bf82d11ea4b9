import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Catalogue, ColumnType } from '../../catalogue/catalogue.ts';
import type { CheckedQuery } from '../../check/checked.ts';
import type { Row } from '../../reference/evaluate.ts';
import { type Json, writeJson } from '../../reference/json.ts';
import type { ReferenceValue } from '../../reference/values.ts';
import { type Compiled, compile } from '../compile.ts';
import type { Bounds, Tables } from '../tables.ts';
import { duckdb } from './duckdb.ts';

const types: Record<ColumnType, string> = {
  String: 'varchar',
  Number: 'bigint',
  Timestamp: 'bigint',
  Json: 'varchar',
};

/** A row with its account and time, which queries cannot see. */
export interface StoredRow {
  readonly account: string;
  readonly at: number;
  readonly row: Row;
}

export const sampleBounds: Bounds = { account: 'own', start: 0, end: 1_000 };
export const sampleNow = Date.UTC(2024, 4, 1, 13);

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** One plain table per datasource. */
export const sampleTables: Tables = {
  rows: ({ datasource, columns, bounds, bind }) => {
    const selected = columns.map(({ name }) => quoted(name)).join(', ') || '1';
    const range = `"_at" >= ${bind(BigInt(bounds.start))} and "_at" < ${bind(BigInt(bounds.end))}`;
    return `select ${selected} from ${quoted(datasource.name)} where "_account" = ${bind(bounds.account)} and ${range}`;
  },
};

/** In-memory DuckDB for tests. */
export class SampleEngine {
  private readonly connection: DuckDBConnection;
  private readonly catalogue: Catalogue;

  private constructor(connection: DuckDBConnection, catalogue: Catalogue) {
    this.connection = connection;
    this.catalogue = catalogue;
  }

  /** Creates an empty table per datasource. Columns in `doubles` are doubles. */
  static async start(catalogue: Catalogue, doubles: readonly string[] = []): Promise<SampleEngine> {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run('set threads = 1');
    for (const name of catalogue.names()) {
      const columns = catalogue.find(name)?.columns.map((column) => {
        const type = doubles.includes(column.name) ? 'double' : types[column.type];
        return `${quoted(column.name)} ${type}`;
      });
      await connection.run(
        `create table ${quoted(name)} ("_account" varchar, "_at" bigint, ${columns?.join(', ')})`,
      );
    }
    return new SampleEngine(connection, catalogue);
  }

  /** Replaces the rows of a table. */
  async fill(datasource: string, rows: readonly StoredRow[]): Promise<void> {
    await this.connection.run(`delete from ${quoted(datasource)}`);
    if (rows.length === 0) return;
    const columns = this.catalogue.find(datasource)?.columns ?? [];
    const values = rows.flatMap(({ account, at, row }) => [
      account,
      BigInt(at),
      ...columns.map(({ name, type }) => storedValue(row.get(name) ?? null, type)),
    ]);
    const width = columns.length + 2;
    const tuples = rows.map(
      (_, at) => `(${Array.from({ length: width }, (__, column) => `$${at * width + column + 1}`)})`,
    );
    await this.connection.run(`insert into ${quoted(datasource)} values ${tuples.join(', ')}`, values);
  }

  async run({ sql, parameters }: Compiled): Promise<string[]> {
    const result = await this.connection.runAndReadAll(sql, [...parameters]);
    return result.getRowsJS().map(([row]) => String(row));
  }

  execute(query: CheckedQuery, limit?: number): Promise<string[]> {
    const options = { dialect: duckdb, tables: sampleTables, bounds: sampleBounds, now: sampleNow };
    return this.run(compile(query, limit === undefined ? options : { ...options, limit }));
  }

  stop(): void {
    this.connection.closeSync();
  }
}

function storedValue(value: ReferenceValue, type: ColumnType): string | bigint | number | boolean | null {
  if (value === null) return null;
  if (type === 'Json') return writeJson(value as Json);
  return type === 'Timestamp' ? BigInt(value as number) : (value as string | bigint | number);
}
