import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { FairShare } from '../platform/fair-share.ts';
import { freeBytes } from '../platform/streamed-buffer.ts';
import { bodyTooLarge } from './error-reply.ts';

/** Total bytes of request bodies in memory, compressed and decompressed: a few of maximum size, or a hundred typical ones. */
export const maxInFlightBytes = 192 * 1024 * 1024;

/**
 * A memory budget for concurrent request bodies: bodies beyond it are rejected with 503. Further bodies of an account must
 * leave as much free as the account holds, so that other accounts get a share.
 */
export class BodiesInFlight extends FairShare {
  constructor() {
    super({ capacity: maxInFlightBytes, reserve: 'its own' });
  }

  /** Accounts for one request body until its response is closed. */
  open(account: string, { raw }: FastifyReply): BodyInFlight {
    const body = new BodyInFlight(this, account);
    if (raw.destroyed) body.close();
    else raw.once('close', () => body.close());
    return body;
  }
}

export class BodyInFlight {
  readonly #budget: FairShare;
  readonly #account: string;
  #held = 0;
  #isClosed = false;

  constructor(budget: FairShare, account: string) {
    this.#budget = budget;
    this.#account = account;
  }

  /** Counts received bytes. A body that is alone in memory is accepted whatever its size. */
  add(bytes: number): void {
    if (this.#isClosed) return;
    if (!this.#fits(bytes)) {
      throw new Refusal(
        'UNAVAILABLE',
        'Too many batches are arriving at the same time: send the batch again in a few seconds.',
      );
    }
    this.#held += bytes;
    this.#budget.take(this.#account, bytes);
  }

  close(): void {
    this.#isClosed = true;
    this.#budget.release(this.#account, this.#held);
    this.#held = 0;
  }

  /** The only body of an account may use all free memory; the fair-share rule applies to further ones. */
  #fits(bytes: number): boolean {
    if (this.#budget.used === this.#held) return true;
    return this.#budget.heldBy(this.#account) === this.#held
      ? this.#budget.used + bytes <= maxInFlightBytes
      : this.#budget.mayTake(this.#account, bytes);
  }

  /**
   * Reads the whole stream, up to a limit. When the budget is exhausted, the rest is discarded before the error is
   * thrown, because many clients do not read a response while they send.
   */
  read(stream: Readable, limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let refusal: unknown;
      const add = (chunk: Buffer) => {
        size += chunk.length;
        if (size > limit) return fail(bodyTooLarge(limit));
        if (refusal) return;
        try {
          this.add(chunk.length);
          chunks.push(chunk);
        } catch (error) {
          refusal = error;
          chunks.length = 0;
        }
      };
      const fail = (error: unknown) => {
        stream.off('data', add).resume();
        this.close();
        reject(error);
      };
      stream.on('data', add).on('error', fail);
      stream.once('end', () => (refusal ? reject(refusal) : resolve(concatenated(chunks, size))));
    });
  }
}

/** A body of megabytes arrives in many chunks, which would wait for a garbage collection. */
function concatenated(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = Buffer.concat(chunks, size);
  for (const chunk of chunks) freeBytes(chunk);
  return bytes;
}
