import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseHeaders } from './response-headers.ts';

/** What a browser asks for: a GET or HEAD request that no route matches. */
export interface PageRequest {
  /** Path without the query, not decoded. */
  readonly path: string;
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for 304. */
  readonly body: Buffer | undefined;
}

/** Pages and files for browsers, outside the API. They are public, and do not count against a rate limit. */
export interface Pages {
  answer(request: PageRequest): Page | undefined;
}

export function pageFor(
  pages: Pages | undefined,
  { method, url, headers }: FastifyRequest,
): Page | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  return pages?.answer({
    path: url.split('?', 1)[0] as string,
    accept: headers.accept,
    acceptEncoding: headers['accept-encoding'] as string | undefined,
    ifNoneMatch: headers['if-none-match'],
  });
}

export function sendPage(reply: FastifyReply, page: Page, responseHeaders: ResponseHeaders): void {
  const { status, headers, body } = page;
  responseHeaders.set(reply).headers(headers).status(status);
  if (body) reply.header('content-length', body.length).send(body);
  else reply.removeHeader('content-type').send();
}
