import { base } from './base.ts';
import { parseExactly } from './exact-json.ts';
import { problemOf, unreachable } from './problem.ts';

export interface Sent {
  readonly method: string;
  /** Path with its query, without the base. */
  readonly path: string;
  readonly body?: unknown;
  readonly account?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request to the own server; throws a Problem unless it succeeds. */
export async function send({ method, path, body, account, signal }: Sent): Promise<unknown> {
  const response = await fetch(base + path, {
    method,
    headers: {
      accept: 'application/json',
      ...(account !== undefined && { 'account-name': account }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    throw (error as Error).name === 'AbortError' ? error : unreachable();
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  const content = isJson ? parseExactly(text) : undefined;
  if (!response.ok) throw problemOf(response.status, content);
  return content;
}
