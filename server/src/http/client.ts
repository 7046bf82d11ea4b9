import type { FastifyRequest } from 'fastify';
import { clearedCookie, sessionCookie, sessionValueOf } from './session-cookie.ts';

/** The browser of a sign-in or session, and its cookie. */
export interface Client {
  readonly address: string;
  readonly userAgent: string | undefined;
  /** The value of the cookie, whether the session is valid or not. */
  readonly sessionValue: string | undefined;
  /** Sets the cookie with the response. */
  keepSession(value: string): void;
  /** Deletes the cookie with the response. */
  dropSession(): void;
}

export function clientOf(request: FastifyRequest): Client {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'],
    sessionValue: sessionValueOf(request.headers.cookie),
    keepSession: (value) => {
      request.cookie = sessionCookie(value);
    },
    dropSession: () => {
      request.cookie = clearedCookie();
    },
  };
}
