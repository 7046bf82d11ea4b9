import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBBlobVector, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** The day files of a server, read directly by the driver. The telemetry store may have them open in the same process. */
export class DayFiles {
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(days: string, limits: { memory: string; threads: number }): Promise<DayFiles> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: limits.memory,
      threads: `${limits.threads}`,
      preserve_insertion_order: 'false',
    });
    const connection = await instance.connect();
    for (const name of readdirSync(days).filter((name) => name.endsWith('.duckdb'))) {
      await connection.run(`attach '${join(days, name)}' as "${name}" (read_only)`);
    }
    return new DayFiles(instance, connection);
  }

  /** The rows of a dataset of all days, as a FROM item. */
  async table(dataset: string): Promise<string> {
    const days = await this.#connection.runAndReadAll(
      `select database_name from duckdb_tables() where table_name = '${dataset}' order by all`,
    );
    return `(${days
      .getRows()
      .map(([day]) => `select * from "${day}"."${dataset}"`)
      .join(' union all ')})`;
  }

  /** The rows of a statement with one column, as UTF-8. */
  async rows(statement: string): Promise<Uint8Array[]> {
    const result = await this.#connection.stream(`select encode("row") from (${statement})`);
    const rows: Uint8Array[] = [];
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return rows;
      const values = chunk.getColumnVector(0) as DuckDBBlobVector;
      for (let at = 0; at < chunk.rowCount; at++) rows.push(values.getItemBytes(at) ?? new Uint8Array());
    }
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
