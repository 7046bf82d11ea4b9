import type { ServerResponse } from 'node:http';
import { Refusal } from '../platform/errors.ts';
import { FairShare } from '../platform/fair-share.ts';

/** Total bytes of large responses that wait to be read by clients. */
export const maxUnsentBytes = 256 * 1024 * 1024;

/**
 * A memory budget for large responses that clients read slowly. Further responses of an account must leave as much free as
 * the account holds, so that other accounts get a share. Shared and streamed responses do not count.
 */
export class UnsentResponses extends FairShare {
  constructor() {
    super({ capacity: maxUnsentBytes, reserve: 'its own' });
  }

  /** Until the response is read or the client disconnects. A single response is accepted whatever its size. */
  hold(response: ServerResponse, account: string, bytes: number): void {
    // `close` was already emitted, so the bytes would never be released.
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
