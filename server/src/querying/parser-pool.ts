import { WorkerPool, type WorkerPoolOptions } from '../platform/worker-pool.ts';
import type { DetachedQuery } from './detached-query.ts';

export type ParserPoolOptions = Pick<WorkerPoolOptions, 'seconds'> & { readonly packs: URL };

/** Worker threads that parse long queries. */
export function parserPool({ packs, seconds }: ParserPoolOptions): WorkerPool<string, DetachedQuery> {
  return new WorkerPool({
    module: new URL('./parser.worker.js', import.meta.url),
    data: { packs: packs.href },
    noun: 'query',
    seconds,
  });
}
