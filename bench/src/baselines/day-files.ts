import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBBlobVector, type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** The files of a server's days, read by the driver alone. The process may have them open for the server's part too. */
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

  /** The rows of a dataset of all days, as something to select from. */
  async table(dataset: string): Promise<string> {
    const found = await this.#connection.runAndReadAll(
      `select database_name from duckdb_tables() where table_name = '${dataset}' order by all`,
    );
    return `(${found
      .getRows()
      .map(([day]) => `select * from "${day}"."${dataset}"`)
      .join(' union all ')})`;
  }

  /** The texts of the rows of a statement with one column. */
  async rows(statement: string): Promise<Uint8Array[]> {
    const result = await this.#connection.stream(`select encode("row") from (${statement})`);
    const rows: Uint8Array[] = [];
    for (;;) {
      const chunk = await result.fetchChunk();
      if (!chunk || chunk.rowCount === 0) return rows;
      const texts = chunk.getColumnVector(0) as DuckDBBlobVector;
      for (let at = 0; at < chunk.rowCount; at++) rows.push(texts.getItemBytes(at) ?? new Uint8Array());
    }
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}
