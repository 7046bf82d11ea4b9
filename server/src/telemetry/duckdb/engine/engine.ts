import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Interruption } from './interruption.ts';

export interface EngineLimits {
  /** Memory limit of the engine in DuckDB's notation, `512MB`. The process needs about half as much again. */
  readonly memory: string;
  readonly threads: number;
  /** Disk limit of the intermediate results of all statements, in bytes. */
  readonly spill?: number;
}

const defaultSpill = 4e9;
/** The engine accepts no lower limit. */
const minSpill = 1e6;

type Work<Result> = (connection: DuckDBConnection) => Promise<Result>;

/** DuckDB in this process. A connection runs one statement at a time; idle ones are pooled. */
export class Engine {
  readonly #directory: string;
  readonly #limits: EngineLimits;
  readonly #idle: DuckDBConnection[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #instance: DuckDBInstance;
  /** Work that returns memory early. */
  #sparing = 0;
  #spillLimit: number;

  private constructor(directory: string, limits: EngineLimits, instance: DuckDBInstance) {
    this.#directory = directory;
    this.#limits = limits;
    this.#spillLimit = spillCapOf(limits);
    this.#instance = instance;
  }

  static async open(directory: string, limits: EngineLimits): Promise<Engine> {
    // Spill files left behind by a killed process.
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

  /** Changes the spill limit; existing spill files remain. */
  async limitSpill(bytes: number): Promise<void> {
    const limit = Math.max(minSpill, bytes);
    // A slightly higher limit is not worth a statement before every search.
    if (limit === this.#spillLimit || (limit > this.#spillLimit && limit < this.#spillLimit * 1.1)) return;
    // The engine refuses a limit below the current usage; a later search tries again.
    const isSet = await this.use((connection) => connection.run(spillSql(limit))).then(
      () => true,
      () => false,
    );
    if (isSet) this.#spillLimit = limit;
  }

  /**
   * When the signal aborts, the running statement is interrupted and the signal's reason is thrown once it has
   * ended.
   */
  use<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#tracked(this.#use(work, signal));
  }

  /**
   * The same for work on large values: meanwhile the engine returns freed memory after 1 MB, not 128 MB for each thread.
   * Always set, it makes searches slower by a third.
   */
  useSparingly<Result>(work: Work<Result>): Promise<Result> {
    return this.#tracked(this.#spare(work));
  }

  async #spare<Result>(work: Work<Result>): Promise<Result> {
    if (this.#sparing++ === 0) await this.#setFlush('1MB');
    try {
      return await this.#use(work, undefined);
    } finally {
      if (--this.#sparing === 0) await this.#setFlush(undefined);
    }
  }

  /** If it fails, as after a fatal error, the setting stays until the next such work. */
  async #setFlush(size: string | undefined): Promise<void> {
    await this.#use((connection) => setFlush(connection, size), undefined).catch(() => undefined);
  }

  async #tracked<Result>(running: Promise<Result>): Promise<Result> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when the work running now has ended, including interrupted statements; later work is not awaited. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Recreates the instance: after a fatal error the engine accepts no statements. Files have to be attached again. */
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
      // The connection may have an open transaction.
      connection.closeSync();
      throw signal?.aborted ? signal.reason : error;
    } finally {
      interruption?.end();
    }
  }
}

/** When the allocator of the engine returns memory to the system. */
const flushSettings = ['allocator_flush_threshold', 'allocator_bulk_deallocation_flush_threshold'];

async function setFlush(connection: DuckDBConnection, size: string | undefined): Promise<void> {
  for (const name of flushSettings)
    await connection.run(size === undefined ? `reset global ${name}` : `set global ${name} = '${size}'`);
}

/** No statement can reach files outside of the directory. */
async function newInstance(directory: string, limits: EngineLimits): Promise<DuckDBInstance> {
  const { memory, threads } = limits;
  // The engine would create it world-readable.
  mkdirSync(spillOf(directory), { recursive: true, mode: 0o700 });
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: memory,
    threads: String(threads),
    temp_directory: spillOf(directory),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // A checkpoint takes a second or more, which delays batches.
    wal_autocheckpoint: '256MB',
    preserve_insertion_order: 'false',
    // Workaround for 1.5.6: it finds no rows in a newly opened table while the first rows are inserted.
    disabled_optimizers: 'row_group_pruner',
  });
  const connection = await instance.connect();
  // Has no effect among the options above (1.5.6).
  await connection.run(spillSql(spillCapOf(limits)));
  const settings = ['max_temp_directory_size', ...flushSettings].map((name) => `'${name}'`);
  await connection.run(`set allowed_configs = [${settings.join(', ')}]`);
  await connection.run(`set allowed_directories = [${quoted(directory)}]`);
  await connection.run('set enable_external_access = false');
  await connection.run('set lock_configuration = true');
  connection.closeSync();
  return instance;
}

export function spillCapOf({ spill = defaultSpill }: EngineLimits): number {
  return spill;
}

function spillSql(bytes: number): string {
  return `set max_temp_directory_size = '${Math.floor(Math.max(minSpill, bytes) / 1e3)}KB'`;
}

function spillOf(directory: string): string {
  return join(directory, 'spill');
}

/** The memory limit was exceeded; the statement had no effect, and others continue. */
export function isOutOfMemory(error: unknown): boolean {
  // A failed commit reports its cause without the error's name.
  return /^Out of Memory Error|Failed to commit: .*\(\S+ \S+\/\S+ \S+ used\)/.test(
    String((error as Error).message),
  );
}

/** The spill limit was exceeded; the engine reports it as out of memory. */
export function isOutOfSpill(error: unknown): boolean {
  return isOutOfMemory(error) && /max_temp_directory_size/.test(String((error as Error).message));
}

/** An SQL string literal, for file names, which can not be parameters. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Attaches or creates a file. Older engine versions need not read it, so the newest compression is used. */
export function attachSql(file: string, name: string, rowGroup?: number): string {
  const options = rowGroup === undefined ? '' : `, row_group_size ${rowGroup}`;
  return `attach if not exists ${quoted(file)} as "${name}" (storage_version 'latest'${options})`;
}
