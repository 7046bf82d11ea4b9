import { sql } from 'kysely';
import { WorkerPool, type WorkerPoolOptions } from '../../platform/worker-pool.ts';
import { checkPatterns, type Filter, hasPlainPatterns } from '../../search/filter.ts';
import type { Search } from '../../search/request.ts';
import type { ControlStore } from '../store.ts';
import type { PageMetadata, PageRequest } from './page-scan.ts';
import type { ScanRequest } from './scan.ts';

/** A full scan, a page, a search in given records, or patterns to check. */
export type ScanTask =
  | { readonly scan: ScanRequest }
  | { readonly page: PageRequest }
  | { readonly records: readonly string[]; readonly search: Pick<Search, 'filters' | 'returns'> }
  | { readonly patterns: readonly Filter[] };

export interface ScanResult {
  readonly json?: ArrayBuffer;
  readonly page?: PageMetadata | undefined;
}

export type ScannerOptions = Pick<WorkerPoolOptions, 'seconds'> &
  Partial<Pick<WorkerPoolOptions, 'threads' | 'idleSeconds' | 'graceSeconds'>>;

/** One thread is reserved for other accounts, so an account can run a second search beside a slow one. */
const threads = 3;

/** Searches records of the control store, or given ones, in worker threads. */
export class Scanner {
  readonly #pool: WorkerPool<ScanTask, ScanResult>;

  constructor(store: Pick<ControlStore, 'url' | 'dialect' | 'read'>, options: ScannerOptions) {
    this.#pool = new WorkerPool({
      threads,
      ...options,
      module: new URL('./scan.worker.js', import.meta.url),
      data: { url: store.url },
      noun: 'search',
      ...(store.dialect === 'postgres' && { terminated: (name: string) => terminateStatements(store, name) }),
    });
  }

  /** Current threads and tasks. */
  get pool(): Pick<WorkerPool<ScanTask, ScanResult>, 'threads' | 'running' | 'waiting' | 'fault'> {
    return this.#pool;
  }

  /** The response with the matching records: `{"data":[…]}`. */
  async scan(request: ScanRequest, abandoned?: AbortSignal): Promise<Buffer<ArrayBuffer>> {
    return bytesOf(await this.#pool.run(request.ownerId, { scan: request }, abandoned));
  }

  /** One page: its records separated by commas, and its metadata. */
  async page(
    page: PageRequest,
    abandoned?: AbortSignal,
  ): Promise<PageMetadata & { readonly json: Buffer<ArrayBuffer> }> {
    const scanned = await this.#pool.run(page.ownerId, { page }, abandoned);
    return { ...(scanned.page as PageMetadata), json: bytesOf(scanned) };
  }

  /** The response with those of the given JSON records that match. */
  async search(
    account: string,
    records: readonly string[],
    search: Pick<Search, 'filters' | 'returns'>,
    abandoned?: AbortSignal,
  ): Promise<Buffer<ArrayBuffer>> {
    return bytesOf(await this.#pool.run(account, { records, search }, abandoned));
  }

  /** Refuses invalid regular expressions. */
  async checkPatterns(account: string, filters: readonly Filter[], abandoned?: AbortSignal): Promise<void> {
    const patterns = filters.filter(({ test }) => test === 'rlike');
    if (hasPlainPatterns(patterns)) checkPatterns(patterns);
    else await this.#pool.run(account, { patterns }, abandoned);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function bytesOf({ json }: ScanResult): Buffer<ArrayBuffer> {
  return Buffer.from(json as ArrayBuffer);
}

/** PostgreSQL notices a closed connection only when it writes to it. */
async function terminateStatements({ read }: Pick<ControlStore, 'read'>, name: string): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${name} and usename = current_user`.execute(read);
}
