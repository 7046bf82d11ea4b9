import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Interruption } from './interruption.ts';

export interface EngineLimits {
  /** Of the engine's own memory, as DuckDB writes it: `512MB`. The process needs about half as much more. */
  readonly memory: string;
  readonly threads: number;
}

type Work<Result> = (connection: DuckDBConnection) => Promise<Result>;

/** DuckDB in this process. A connection serves one statement at a time; idle ones are used again. */
export class Engine {
  readonly #directory: string;
  readonly #limits: EngineLimits;
  readonly #idle: DuckDBConnection[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #instance: DuckDBInstance;

  private constructor(directory: string, limits: EngineLimits, instance: DuckDBInstance) {
    this.#directory = directory;
    this.#limits = limits;
    this.#instance = instance;
  }

  static async open(directory: string, limits: EngineLimits): Promise<Engine> {
    // A process that was killed left there what did not fit into its memory.
    rmSync(spillOf(directory), { recursive: true, force: true });
    return new Engine(directory, limits, await newInstance(directory, limits));
  }

  /** What runs when the signal aborts is interrupted, and the reason of the signal is thrown once it has ended. */
  async use<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    const running = this.#use(work, signal);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when all that runs now has ended; what was abandoned needs a moment. What begins later is not waited for. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Begins anew, for after a fatal error no statement is taken any more. Files have to be attached again. */
  async reopen(): Promise<void> {
    await this.settled();
    this.close();
    this.#instance = await newInstance(this.#directory, this.#limits);
  }

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.closeSync();
    this.#instance.closeSync();
  }

  async #use<Result>(work: Work<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const connection = this.#idle.pop() ?? (await this.#instance.connect());
    const interruption = signal && new Interruption(connection, signal);
    try {
      signal?.throwIfAborted();
      const result = await work(connection);
      this.#idle.push(connection);
      return result;
    } catch (error) {
      // After an error the connection may be in the middle of a transaction.
      connection.closeSync();
      throw signal?.aborted ? signal.reason : error;
    } finally {
      interruption?.end();
    }
  }
}

/** Files outside of the directory can not be reached by any statement, whatever it says. */
async function newInstance(directory: string, { memory, threads }: EngineLimits): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: memory,
    threads: String(threads),
    temp_directory: spillOf(directory),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // A checkpoint costs a second and more, so batches must not meet one often.
    wal_autocheckpoint: '256MB',
    preserve_insertion_order: 'false',
    // It finds nothing at all in a table that was just opened, while the first rows are added to it (1.5.6).
    disabled_optimizers: 'row_group_pruner',
  });
  const connection = await instance.connect();
  await connection.run(`set allowed_directories = [${quoted(directory)}]`);
  await connection.run('set enable_external_access = false');
  await connection.run('set lock_configuration = true');
  connection.closeSync();
  return instance;
}

function spillOf(directory: string): string {
  return join(directory, 'spill');
}

/** The limit of the engine's memory was met; what ran had no effect, and others run on. */
export function isOutOfMemory(error: unknown): boolean {
  // A commit that fails tells its cause without the name of it.
  return /^Out of Memory Error|Failed to commit: .*\(\S+ \S+\/\S+ \S+ used\)/.test(
    String((error as Error).message),
  );
}

/** A text as SQL writes it; for names of files, which can not be parameters. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Opens a file under a name, or makes it. Older versions of the engine need not read it, so that it may pack better. */
export function attachSql(file: string, name: string): string {
  return `attach if not exists ${quoted(file)} as "${name}" (storage_version 'latest')`;
}
