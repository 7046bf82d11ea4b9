import type { Operations } from './interface.ts';
import { Problem } from './problem.ts';
import { send } from './send.ts';
import { sessionGate } from './session-gate.ts';

type Name = keyof Operations;
type Input<N extends Name> = Omit<Operations[N], 'reply'>;
export type Reply<N extends Name> = Operations[N]['reply'];

export interface Call {
  readonly account: string;
  readonly signal?: AbortSignal | undefined;
}

/** Calls an operation of the interface. If the session ended, it waits for the sign-in and repeats the request. */
export async function call<N extends Name>(
  name: N,
  input: Input<N>,
  { account, signal }: Call,
): Promise<Reply<N>> {
  const {
    path = {},
    query = {},
    body,
  } = input as {
    path?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
  };
  const [method = '', template = ''] = name.split(' ');
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const parameters = new URLSearchParams(query).toString();
  const sent = { method, path: parameters ? `${filled}?${parameters}` : filled, body, account, signal };
  for (;;) {
    try {
      return (await send(sent)) as Reply<N>;
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      await sessionGate.closed();
      signal?.throwIfAborted();
    }
  }
}
