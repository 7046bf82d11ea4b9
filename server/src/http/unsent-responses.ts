import type { ServerResponse } from 'node:http';
import { Refusal } from '../platform/errors.ts';
import { FairShare } from '../platform/fair-share.ts';

/** Bytes of large answers that may wait to be read at once, of all accounts. */
export const maxUnsentBytes = 256 * 1024 * 1024;

/**
 * Keeps many large answers that are read slowly from taking all memory. Further answers of an account leave as much free as
 * the account holds, so that others get theirs. Shared and streamed answers are not held here.
 */
export class UnsentResponses extends FairShare {
  constructor() {
    super({ capacity: maxUnsentBytes, reserve: 'its own' });
  }

  /** Until the answer is read or its client gone. One alone is always accepted, whatever its size. */
  hold(response: ServerResponse, account: string, bytes: number): void {
    // Its `close` has been emitted, so nothing would ever release the bytes.
    if (response.destroyed) return;
    if (this.used > 0 && !this.mayTake(account, bytes)) {
      throw new Refusal(
        'UNAVAILABLE',
        'Too many large responses have not been read yet: read them, then try again.',
      );
    }
    this.take(account, bytes);
    response.once('close', () => this.release(account, bytes));
  }
}
