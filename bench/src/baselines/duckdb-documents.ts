import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/**
 * Durable inserts of simulated records by the engine alone: one table and one transaction for each dataset and day, with
 * the record, its account and its time. Nothing is validated, and no column is extracted for searches.
 */
export class RawDocuments {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #tables = new Map<string, string>();

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(directory: string, limits: { memory: string; threads: number }): Promise<RawDocuments> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: limits.memory,
      threads: `${limits.threads}`,
      wal_autocheckpoint: '256MB',
      preserve_insertion_order: 'false',
    });
    const connection = await instance.connect();
    await connection.run(`attach '${join(directory, 'documents.duckdb')}' as raw (storage_version 'latest')`);
    return new RawDocuments(instance, connection);
  }

  /** `lines` is NDJSON; `member` holds the time of a record. */
  async insert(dataset: string, member: string, lines: string): Promise<void> {
    await this.#connection.run(
      `insert into ${await this.#table(dataset)}
        select 'account', epoch_ms(json_extract_string(doc, $member)::timestamptz), doc
        from (select unnest(string_split($lines, chr(10))) as doc)`,
      { member: `$.${member}`, lines },
    );
  }

  async count(): Promise<number> {
    let sum = 0;
    for (const table of this.#tables.values()) {
      const result = await this.#connection.runAndReadAll(`select count(*) from ${table}`);
      sum += Number(result.getRows()[0]?.[0]);
    }
    return sum;
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #table(dataset: string): Promise<string> {
    const known = this.#tables.get(dataset);
    if (known) return known;
    const table = `raw."${dataset}"`;
    await this.#connection.run(
      `create table ${table} (account varchar, t bigint, doc varchar using compression uncompressed)`,
    );
    this.#tables.set(dataset, table);
    return table;
  }
}
