import { FairQueue } from '../../../platform/fair-queue.ts';

/** A statement occupies one of libuv's four threads: one stays free for ingest. */
const statementsAtOnce = 3;

/**
 * The queue key of backups, restores and maintenance, which share the engine with accounts as if they were one
 * account.
 */
export const systemTenant = '';

/**
 * Concurrent engine statements, queued fairly by account. Work holds one slot and never waits for another while it
 * does, so it can not deadlock.
 */
export function newStatementQueue(): FairQueue {
  return new FairQueue({ noun: 'statement', concurrency: statementsAtOnce });
}
