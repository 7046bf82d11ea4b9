import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Decision } from './rate/sliding-window.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What is left of the limit that the request counts against. */
    rate: Decision | undefined;
  }
}

/** Headers in the form in which Node takes them fastest: names and values in turn. */
export type RawHeaders = (string | number)[];

export const jsonType = 'application/json; charset=utf-8';

/** What every answer carries, errors too. Answers that are the same for everyone replace `cache-control`. */
const commonHeaders: readonly string[] = [
  'x-content-type-options',
  'nosniff',
  'referrer-policy',
  'no-referrer',
  'cache-control',
  'no-store',
  'content-type',
  jsonType,
];

/** A year, this name only: names under it may be served by somebody else. */
const transportSecurity: readonly string[] = ['strict-transport-security', 'max-age=31536000'];

/** The headers of every answer: what clients must not do with it, the id of its request, and what is left of the limit. */
export class ResponseHeaders {
  readonly #constant: readonly string[];

  /** `isSecure`: clients reach the service by TLS, of its own or of a proxy. */
  constructor(isSecure: boolean) {
    this.#constant = isSecure ? [...commonHeaders, ...transportSecurity] : commonHeaders;
  }

  /** For JSON that is written past the framework, which would look at every header by itself. */
  of({ id, rate }: Pick<FastifyRequest, 'id' | 'rate'>): RawHeaders {
    if (!rate) return [...this.#constant, 'x-request-id', id];
    const { limit, reset } = rate;
    // Otherwise V8 would keep the text of every number until it collects the whole heap.
    const remaining = rate.remaining.toFixed();
    const left = ['ratelimit-limit', limit, 'ratelimit-remaining', remaining, 'ratelimit-reset', reset];
    return [...this.#constant, 'x-request-id', id, ...left];
  }

  /** For what the framework sends; what is set afterwards replaces it. */
  set(reply: FastifyReply): FastifyReply {
    const head = this.of(reply.request);
    for (let at = 0; at < head.length; at += 2) reply.header(head[at] as string, head[at + 1]);
    return reply;
  }
}
