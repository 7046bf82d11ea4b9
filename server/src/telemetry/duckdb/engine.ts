import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

export interface EngineLimits {
  /** Of the engine's own memory, as DuckDB writes it: `512MB`. The process needs about half as much more. */
  readonly memory: string;
  readonly threads: number;
}

/** DuckDB in this process. A connection serves one statement at a time; idle ones are used again. */
export class Engine {
  readonly #instance: DuckDBInstance;
  readonly #idle: DuckDBConnection[] = [];
  readonly #working = new Set<Promise<unknown>>();

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  /** Files outside of the directory can not be reached by any statement, whatever it says. */
  static async open(directory: string, { memory, threads }: EngineLimits): Promise<Engine> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: memory,
      threads: String(threads),
      temp_directory: `${directory}/spill`,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // A checkpoint costs a second and more, so batches must not meet one often.
      wal_autocheckpoint: '256MB',
      preserve_insertion_order: 'false',
      // It finds nothing at all in a table that was just opened, while the first rows are added to it (1.5.6).
      disabled_optimizers: 'row_group_pruner',
    });
    const engine = new Engine(instance);
    await engine.use(async (connection) => {
      await connection.run(`set allowed_directories = [${quoted(directory)}]`);
      await connection.run('set enable_external_access = false');
      await connection.run('set lock_configuration = true');
    });
    return engine;
  }

  async use<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    const working = this.#connected(work);
    this.#working.add(working);
    try {
      return await working;
    } finally {
      this.#working.delete(working);
    }
  }

  /** Resolves when no statement runs: an engine that is closed before keeps its files open until it is done. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
  }

  async #connected<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.#instance.connect());
    try {
      const result = await work(connection);
      this.#idle.push(connection);
      return result;
    } catch (error) {
      // After an error the connection may be in the middle of a transaction.
      connection.closeSync();
      throw error;
    }
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.closeSync();
    this.#instance.closeSync();
  }
}

/** A text as SQL writes it; for names of files, which can not be parameters. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
