import { WorkerPool, type WorkerPoolOptions } from '../platform/worker-pool.ts';
import type { Detached } from './detached-query.ts';

export type ReadingPoolOptions = Pick<WorkerPoolOptions, 'seconds'> & { readonly packs: URL };

/** Threads that read long texts of queries. */
export function readingPool({ packs, seconds }: ReadingPoolOptions): WorkerPool<string, Detached> {
  return new WorkerPool({
    module: new URL('./reading.worker.js', import.meta.url),
    data: { packs: packs.href },
    noun: 'query',
    seconds,
  });
}
