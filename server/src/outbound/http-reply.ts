import { OutboundError } from './outbound.ts';

/** Only the error code: the message may repeat the request. */
export function failure(host: string, error: unknown): OutboundError {
  const { code } = error as { code?: string };
  return new OutboundError(`The request to ${host} failed (${code ?? 'unknown error'}).`, { cause: error });
}

/** Header values as strings. */
export function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(entries) as Record<string, string>;
}
