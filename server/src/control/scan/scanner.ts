import { sql } from 'kysely';
import { WorkerPool, type WorkerPoolOptions } from '../../platform/worker-pool.ts';
import { checkPatterns, type Filter, hasPlainPatterns } from '../../search/filter.ts';
import type { Search } from '../../search/request.ts';
import type { ControlStore } from '../store.ts';
import type { PageFacts, PageRequest } from './page-scan.ts';
import type { ScanRequest } from './scan.ts';

/** A whole answer, a page of one, an answer of given records as JSON, or patterns to check. */
export type ScanOrder =
  | { readonly scan: ScanRequest }
  | { readonly page: PageRequest }
  | { readonly records: readonly string[]; readonly search: Pick<Search, 'filters' | 'returns'> }
  | { readonly patterns: readonly Filter[] };

export interface Scanned {
  readonly json?: ArrayBuffer;
  readonly page?: PageFacts | undefined;
}

export type ScannerOptions = Pick<WorkerPoolOptions, 'seconds'> &
  Partial<Pick<WorkerPoolOptions, 'threads' | 'idleSeconds' | 'graceSeconds'>>;

/** One is left to other accounts, so an account has one more while a search of it takes long. */
const threads = 3;

/** Searches records of the control store, and others that it is given, in threads of their own. */
export class Scanner {
  readonly #pool: WorkerPool<ScanOrder, Scanned>;

  constructor(store: Pick<ControlStore, 'url' | 'dialect' | 'read'>, options: ScannerOptions) {
    this.#pool = new WorkerPool({
      threads,
      ...options,
      module: new URL('./scan.worker.js', import.meta.url),
      data: { url: store.url },
      noun: 'search',
      ...(store.dialect === 'postgres' && { terminated: (name: string) => endStatements(store, name) }),
    });
  }

  /** Threads and tasks of now. */
  get pool(): Pick<WorkerPool<ScanOrder, Scanned>, 'threads' | 'running' | 'waiting' | 'fault'> {
    return this.#pool;
  }

  /** The answer with the matching records: `{"data":[…]}`. */
  async scan(request: ScanRequest, abandoned?: AbortSignal): Promise<Buffer<ArrayBuffer>> {
    return bytesOf(await this.#pool.run(request.ownerId, { scan: request }, abandoned));
  }

  /** One page of an answer: its records with commas between, and what is known of it. */
  async page(
    page: PageRequest,
    abandoned?: AbortSignal,
  ): Promise<PageFacts & { readonly text: Buffer<ArrayBuffer> }> {
    const scanned = await this.#pool.run(page.ownerId, { page }, abandoned);
    return { ...(scanned.page as PageFacts), text: bytesOf(scanned) };
  }

  /** The answer with those of the given records, as JSON, that match. */
  async search(
    account: string,
    records: readonly string[],
    search: Pick<Search, 'filters' | 'returns'>,
    abandoned?: AbortSignal,
  ): Promise<Buffer<ArrayBuffer>> {
    return bytesOf(await this.#pool.run(account, { records, search }, abandoned));
  }

  /** Refuses regular expressions that can not be used. */
  async checkPatterns(account: string, filters: readonly Filter[], abandoned?: AbortSignal): Promise<void> {
    const patterns = filters.filter(({ test }) => test === 'rlike');
    if (hasPlainPatterns(patterns)) checkPatterns(patterns);
    else await this.#pool.run(account, { patterns }, abandoned);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function bytesOf({ json }: Scanned): Buffer<ArrayBuffer> {
  return Buffer.from(json as ArrayBuffer);
}

/** PostgreSQL notices the end of a connection only when it writes to it. */
async function endStatements({ read }: Pick<ControlStore, 'read'>, name: string): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${name} and usename = current_user`.execute(read);
}
