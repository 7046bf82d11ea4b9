import type { IncomingMessage, ServerResponse } from 'node:http';

/** The client went away before its answer: nobody is there to be told, and nothing failed. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/** What counters show for it, as other servers do; no client ever sees it. */
export const clientClosedRequest = 499;

/** Whether a failure is only that: a handler gave up for it, or the body broke off. */
export function isClientDisconnect(error: unknown, request: IncomingMessage): boolean {
  return error instanceof ClientDisconnected || error === request.errored;
}

/** Aborted when the connection ends before the answer does. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const look = () => {
    if (!response.writableFinished) controller.abort(new ClientDisconnected());
  };
  if (response.destroyed) look();
  else response.once('close', look);
  return controller.signal;
}
