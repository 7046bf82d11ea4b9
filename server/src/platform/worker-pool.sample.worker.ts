import { readFileSync } from 'node:fs';
import { threadId, workerData } from 'node:worker_threads';
import { Refusal } from './errors.ts';
import { serve } from './pool-worker.ts';

/** A worker for the tests of the pool. The shared integer reports that it is running, and releases it. */
export type SampleRequest =
  | 'thread'
  | 'refuse'
  | 'fail'
  | 'exit'
  | 'throw'
  | 'memory'
  | 'forever'
  | { readonly until: Int32Array }
  | { readonly pipe: string };

const { mode } = workerData as { mode?: string };
if (mode === 'broken') throw new Error('This thread never starts.');

serve((request: SampleRequest) => {
  if (typeof request === 'object' && 'pipe' in request) {
    // Blocks in native code, which `terminate` cannot interrupt, until the test writes to the pipe.
    readFileSync(request.pipe);
    return { result: threadId };
  }
  if (typeof request === 'object') {
    Atomics.store(request.until, 0, 1);
    Atomics.notify(request.until, 0);
    // Blocks the thread like long-running work.
    Atomics.wait(request.until, 0, 1);
    return { result: threadId };
  }
  if (request === 'refuse')
    throw Object.assign(new Refusal('INVALID_FILTER', 'No.', { retryAfter: 9 }), {
      cause: new Error('Inside.'),
    });
  if (request === 'fail') throw Object.assign(new Error('It failed.'), { code: 'ECONNREFUSED' });
  if (request === 'exit') process.exit(1);
  if (request === 'throw')
    setImmediate(() => {
      throw new Error('Uncaught.');
    });
  while (request === 'forever');
  if (request === 'memory') for (const all: number[][] = []; ; ) all.push(Array(1_000_000).fill(1.5));
  return request === 'throw' ? new Promise<{ result: number }>(() => {}) : { result: threadId };
});
