import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Interruption } from './interruption.ts';

export interface EngineLimits {
  /** Of the engine's own memory, as DuckDB writes it: `512MB`. The process needs about half as much more. */
  readonly memory: string;
  readonly threads: number;
  /** Bytes on disk for intermediate results that memory does not hold, of all statements together. */
  readonly spill?: number;
}

/** Where nothing else is said. */
const usualSpill = 4e9;
/** The engine takes no less for granted. */
const leastSpill = 1e6;

type Work<Result> = (connection: DuckDBConnection) => Promise<Result>;

/** DuckDB in this process. A connection serves one statement at a time; idle ones are used again. */
export class Engine {
  readonly #directory: string;
  readonly #limits: EngineLimits;
  readonly #idle: DuckDBConnection[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #instance: DuckDBInstance;
  #spillLimit: number;

  private constructor(directory: string, limits: EngineLimits, instance: DuckDBInstance) {
    this.#directory = directory;
    this.#limits = limits;
    this.#spillLimit = spillCapOf(limits);
    this.#instance = instance;
  }

  static async open(directory: string, limits: EngineLimits): Promise<Engine> {
    // A process that was killed left there what did not fit into its memory.
    rmSync(spillOf(directory), { recursive: true, force: true });
    return new Engine(directory, limits, await newInstance(directory, limits));
  }

  /** Bytes of intermediate results on disk now. */
  get spilled(): number {
    const directory = spillOf(this.#directory);
    const sizeOf = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0;
    if (!existsSync(directory)) return 0;
    return readdirSync(directory).reduce((sum, name) => sum + sizeOf(name), 0);
  }

  /** Changes how much may be spilled; what is there already stays. */
  async limitSpill(bytes: number): Promise<void> {
    const limit = Math.max(leastSpill, bytes);
    // A little more is not worth a statement before every search.
    if (limit === this.#spillLimit || (limit > this.#spillLimit && limit < this.#spillLimit * 1.1)) return;
    // Refused where more than that is there by now, and done before a later search.
    const isSet = await this.use((connection) => connection.run(spillSql(limit))).then(
      () => true,
      () => false,
    );
    if (isSet) this.#spillLimit = limit;
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
    this.#spillLimit = spillCapOf(this.#limits);
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
async function newInstance(directory: string, limits: EngineLimits): Promise<DuckDBInstance> {
  const { memory, threads } = limits;
  // The engine would make it for everyone to read.
  mkdirSync(spillOf(directory), { recursive: true, mode: 0o700 });
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
  // Among the options above it has no effect (1.5.6).
  await connection.run(spillSql(spillCapOf(limits)));
  await connection.run("set allowed_configs = ['max_temp_directory_size']");
  await connection.run(`set allowed_directories = [${quoted(directory)}]`);
  await connection.run('set enable_external_access = false');
  await connection.run('set lock_configuration = true');
  connection.closeSync();
  return instance;
}

export function spillCapOf({ spill = usualSpill }: EngineLimits): number {
  return spill;
}

function spillSql(bytes: number): string {
  return `set max_temp_directory_size = '${Math.floor(Math.max(leastSpill, bytes) / 1e3)}KB'`;
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

/** The limit of what may be spilled was met; the engine counts it as memory. */
export function isOutOfSpill(error: unknown): boolean {
  return isOutOfMemory(error) && /max_temp_directory_size/.test(String((error as Error).message));
}

/** A text as SQL writes it; for names of files, which can not be parameters. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Opens a file under a name, or makes it. Older versions of the engine need not read it, so that it may pack better. */
export function attachSql(file: string, name: string): string {
  return `attach if not exists ${quoted(file)} as "${name}" (storage_version 'latest')`;
}
