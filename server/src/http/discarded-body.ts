import type { IncomingMessage } from 'node:http';

/** A client that sends more than this after an error gets no response. */
const maxDiscardedBytes = 64 * 1024 * 1024;

/**
 * Drains the rest of a rejected body before the error response is sent. Closing the connection with unread bytes makes the
 * kernel reset it, and the client would lose the response.
 */
export function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let remaining = maxDiscardedBytes;
    const count = (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0) done();
    };
    const done = () => {
      request.off('data', count).off('end', done).off('error', done).off('close', done);
      resolve();
    };
    request.on('data', count).on('end', done).on('error', done).on('close', done);
    if (request.readableEnded || request.destroyed) done();
    else request.resume();
  });
}
