import { pipeline, type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors.ts';

/** Bytes of bodies that are held at once, packed and unpacked: some of the largest, or a hundred of the usual ones. */
export const mostInFlight = 192 * 1024 * 1024;

/** Keeps many bodies that come at the same time from taking all memory: what does not fit is to come again. */
export class BodiesInFlight {
  readonly #held = new WeakMap<FastifyRequest, number>();
  #bytes = 0;

  /** Counts a body as it arrives. What it takes is free again when its answer is over. */
  counted(body: Readable, request: FastifyRequest, { raw }: FastifyReply): Readable {
    raw.once('close', () => {
      this.#bytes -= this.#held.get(request) ?? 0;
      this.#held.delete(request);
    });
    const counter = new Transform({
      transform: (part: Buffer, _, done) => {
        const isTooMuch = !this.#fits(part.length, request);
        done(isTooMuch ? tooMuch() : null, isTooMuch ? undefined : part);
      },
    });
    return pipeline(body, counter, () => undefined);
  }

  /** What a body takes when it is unpacked. */
  add(bytes: number, request: FastifyRequest): void {
    if (!this.#fits(bytes, request)) throw tooMuch();
  }

  #fits(bytes: number, request: FastifyRequest): boolean {
    const held = this.#held.get(request) ?? 0;
    // One alone always fits, whatever its size.
    if (this.#bytes > held && this.#bytes + bytes > mostInFlight) return false;
    this.#held.set(request, held + bytes);
    this.#bytes += bytes;
    return true;
  }
}

function tooMuch(): Refusal {
  return new Refusal(
    'UNAVAILABLE',
    'Too many batches are arriving at once: send the batch again in a few seconds.',
  );
}
