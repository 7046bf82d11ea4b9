import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Refusal } from '../platform/errors.ts';
import { FairShare } from '../platform/fair-share.ts';
import { bodyTooLarge } from './error-reply.ts';

/** Bytes of bodies that are held at once, packed and unpacked: some of the largest, or a hundred of the usual ones. */
export const maxInFlightBytes = 192 * 1024 * 1024;

/**
 * Keeps many bodies that come at the same time from taking all memory: what does not fit is to come again. Further bodies
 * of an account leave as much free as the account holds, so that there is room for others.
 */
export class BodiesInFlight extends FairShare {
  constructor() {
    super({ capacity: maxInFlightBytes, reserve: 'its own' });
  }

  /** Room for one of an account that is about to arrive, until its answer is over. */
  open(account: string, { raw }: FastifyReply): BodyInFlight {
    const body = new BodyInFlight(this, account);
    if (raw.destroyed) body.close();
    else raw.once('close', () => body.close());
    return body;
  }
}

/** One of them. */
export class BodyInFlight {
  readonly #all: FairShare;
  readonly #account: string;
  #held = 0;
  #isOver = false;

  constructor(all: FairShare, account: string) {
    this.#all = all;
    this.#account = account;
  }

  /** That so many bytes of it are there. One alone always fits, whatever its size. */
  add(bytes: number): void {
    if (this.#isOver) return;
    if (!this.#fits(bytes)) {
      throw new Refusal(
        'UNAVAILABLE',
        'Too many batches are arriving at the same time: send the batch again in a few seconds.',
      );
    }
    this.#held += bytes;
    this.#all.take(this.#account, bytes);
  }

  close(): void {
    this.#isOver = true;
    this.#all.release(this.#account, this.#held);
    this.#held = 0;
  }

  /** The only body of an account may take what is free; the rule for shares is for those beside it. */
  #fits(bytes: number): boolean {
    if (this.#all.used === this.#held) return true;
    return this.#all.heldBy(this.#account) === this.#held
      ? this.#all.used + bytes <= maxInFlightBytes
      : this.#all.mayTake(this.#account, bytes);
  }

  /**
   * All of what arrives, up to a limit. Where there is no room, the rest goes by unread before that is said: many clients
   * hear nothing while they send.
   */
  read(arriving: Readable, limit: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let size = 0;
      let refusal: unknown;
      const add = (part: Buffer) => {
        size += part.length;
        if (size > limit) return fail(bodyTooLarge(limit));
        if (refusal) return;
        try {
          this.add(part.length);
          parts.push(part);
        } catch (error) {
          refusal = error;
          parts.length = 0;
        }
      };
      const fail = (error: unknown) => {
        arriving.off('data', add).resume();
        this.close();
        reject(error);
      };
      arriving.on('data', add).on('error', fail);
      arriving.once('end', () => (refusal ? reject(refusal) : resolve(Buffer.concat(parts, size))));
    });
  }
}
