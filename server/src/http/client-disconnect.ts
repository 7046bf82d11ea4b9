import type { IncomingMessage, ServerResponse } from 'node:http';

/** The client disconnected before it received the response; not an error of the service. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
}

/** The status in metrics, as nginx records it; never sent to a client. */
export const clientClosedRequest = 499;

/** Whether an error was caused by a disconnect: the handler was aborted, or the request body was truncated. */
export function isClientDisconnect(error: unknown, request: IncomingMessage): boolean {
  return error instanceof ClientDisconnected || error === request.errored;
}

/** Aborted when the connection closes before the response is complete. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const check = () => {
    if (!response.writableFinished) controller.abort(new ClientDisconnected());
  };
  if (response.destroyed) check();
  else response.once('close', check);
  return controller.signal;
}
