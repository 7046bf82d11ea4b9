import type { IncomingMessage } from 'node:http';

/** Who sends more than this after a refusal gets no answer. */
const maxDiscardedBytes = 64 * 1024 * 1024;

/**
 * Reads what is left of a body that was refused. A client that is answered while it still sends would not see the answer: the
 * system resets a connection that is closed with bytes unread.
 */
export function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = maxDiscardedBytes;
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
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
