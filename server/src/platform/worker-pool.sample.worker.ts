import { readFileSync } from 'node:fs';
import { threadId, workerData } from 'node:worker_threads';
import { Refusal } from './errors.ts';
import { serve } from './pool-worker.ts';

/** A worker for the tests of the pool. The shared integer reports that it is running, and releases it. */
export type SampleOrder =
  | 'thread'
  | 'refuse'
  | 'fail'
  | 'exit'
  | 'throw'
  | 'memory'
  | 'forever'
  | { readonly until: Int32Array }
  | { readonly pipe: string };

const { greeting } = workerData as { greeting?: string };
if (greeting === 'broken') throw new Error('This thread never starts.');

serve((order: SampleOrder) => {
  if (typeof order === 'object' && 'pipe' in order) {
    // Blocks in native code, which `terminate` can not interrupt, until the test writes to the pipe.
    readFileSync(order.pipe);
    return { result: threadId };
  }
  if (typeof order === 'object') {
    Atomics.store(order.until, 0, 1);
    Atomics.notify(order.until, 0);
    // Blocks the thread like long-running work.
    Atomics.wait(order.until, 0, 1);
    return { result: threadId };
  }
  if (order === 'refuse')
    throw Object.assign(new Refusal('INVALID_FILTER', 'No.', { retryAfter: 9 }), {
      cause: new Error('Inside.'),
    });
  if (order === 'fail') throw Object.assign(new Error('It failed.'), { code: 'ECONNREFUSED' });
  if (order === 'exit') process.exit(1);
  if (order === 'throw')
    setImmediate(() => {
      throw new Error('Uncaught.');
    });
  while (order === 'forever');
  if (order === 'memory') for (const all: number[][] = []; ; ) all.push(Array(1_000_000).fill(1.5));
  return order === 'throw' ? new Promise<{ result: number }>(() => {}) : { result: threadId };
});
