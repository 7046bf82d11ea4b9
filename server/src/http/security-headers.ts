import type { FastifyReply } from 'fastify';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** What every answer carries, errors too. Answers that are the same for everyone replace `cache-control`. */
const everywhere: HeaderPairs = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
];

/** A year, this name only: names under it may be served by somebody else. */
const transportSecurity: HeaderPairs = [['strict-transport-security', 'max-age=31536000']];

/** `isSecure`: clients reach the service by TLS, of its own or of a proxy. */
export function securityHeaders(isSecure: boolean): HeaderPairs {
  return isSecure ? [...everywhere, ...transportSecurity] : everywhere;
}

export function setSecurityHeaders(reply: FastifyReply, headers: HeaderPairs): void {
  for (const [name, value] of headers) reply.header(name, value);
}
