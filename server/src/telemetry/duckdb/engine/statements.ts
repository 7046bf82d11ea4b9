import { FairQueue } from '../../../platform/fair-queue.ts';

/** A statement holds one of the four threads that Node has for such work: one stays free for what arrives. */
const statementsAtOnce = 3;

/** Whose statements backups, restores and upkeep are: they take turns with accounts as one of them. */
export const ofService = '';

/**
 * The statements that the engine runs at once, by account. Everything takes one slot at a time and waits for no other
 * while it holds it, so nothing can wait for itself.
 */
export function newStatements(): FairQueue {
  return new FairQueue({ noun: 'statement', concurrency: statementsAtOnce });
}
