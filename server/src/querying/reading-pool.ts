import { WorkerPool, type WorkerPoolOptions } from '../platform/worker-pool.ts';
import type { DetachedQuery } from './detached-query.ts';

export type ReadingPoolOptions = Pick<WorkerPoolOptions, 'seconds'> & { readonly packs: URL };

/** Worker threads that parse long queries. */
export function readingPool({ packs, seconds }: ReadingPoolOptions): WorkerPool<string, DetachedQuery> {
  return new WorkerPool({
    module: new URL('./reading.worker.js', import.meta.url),
    data: { packs: packs.href },
    noun: 'query',
    seconds,
  });
}
