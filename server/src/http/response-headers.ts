import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Decision } from './rate/sliding-window.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** State of the rate limit that the request counts against. */
    rate: Decision | undefined;
    /** For an agent whose token is being rotated: the new token. */
    successor?: string | undefined;
    /** The session cookie to set. */
    cookie?: string | undefined;
  }
}

/** Alternating names and values, the representation that Node writes fastest. */
export type RawHeaders = (string | number)[];

export const jsonType = 'application/json; charset=utf-8';

/** Sent with every response, including errors. Shared bodies override `cache-control`. */
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

/** One year, without includeSubDomains: subdomains may belong to other services. */
const transportSecurity: readonly string[] = ['strict-transport-security', 'max-age=31536000'];

/** The headers of every response: security, request id and rate limit. */
export class ResponseHeaders {
  readonly #constant: readonly string[];

  /** `isSecure`: clients connect with TLS, terminated by the service or by a proxy. */
  constructor(isSecure: boolean) {
    this.#constant = isSecure ? [...commonHeaders, ...transportSecurity] : commonHeaders;
  }

  /** For responses written without the framework, which would process every header separately. */
  of({
    id,
    rate,
    successor,
    cookie,
  }: Pick<FastifyRequest, 'id' | 'rate' | 'successor' | 'cookie'>): RawHeaders {
    if (!rate) return [...this.#constant, 'x-request-id', id];
    const { limit, reset } = rate;
    // Otherwise V8's number-to-string cache would keep every value until a full garbage collection.
    const remaining = rate.remaining.toFixed();
    const rateHeaders = [
      'ratelimit-limit',
      limit,
      'ratelimit-remaining',
      remaining,
      'ratelimit-reset',
      reset,
    ];
    const head = [...this.#constant, 'x-request-id', id, ...rateHeaders];
    if (successor !== undefined) head.push('vedette-token', successor);
    if (cookie !== undefined) head.push('set-cookie', cookie);
    return head;
  }

  /** For responses sent by the framework; headers set later override these. */
  set(reply: FastifyReply): FastifyReply {
    const head = this.of(reply.request);
    for (let index = 0; index < head.length; index += 2) reply.header(head[index] as string, head[index + 1]);
    return reply;
  }
}
