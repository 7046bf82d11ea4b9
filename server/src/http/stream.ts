import type { ServerResponse } from 'node:http';
import { ClientLeft } from './client-left.ts';
import type { Head } from './head.ts';
import type { JsonPieces } from './reply.ts';

/**
 * Writes records as they come, no faster than the client reads. When they break off, the connection does too: an answer
 * without its last chunk is taken for whole by no client.
 */
export async function stream(
  raw: ServerResponse,
  status: number,
  head: Head,
  { first, rest }: JsonPieces,
): Promise<void> {
  try {
    raw.writeHead(status, head);
    let start = '{"data":[';
    for (let piece = first; piece; piece = await next(rest)) {
      if (raw.destroyed) throw new ClientLeft();
      raw.cork();
      if (start) raw.write(start);
      start = '';
      const goesOn = raw.write(piece);
      raw.uncork();
      if (!goesOn) await room(raw, rest.failed);
    }
    if (raw.destroyed) throw new ClientLeft();
    raw.end(`${start}]}`);
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    await rest.return?.();
  }
}

async function next(rest: JsonPieces['rest']): Promise<Uint8Array | undefined> {
  const { value, done } = await rest.next();
  return done ? undefined : value;
}

/** Until the client has read what was written, or is gone, or there is nothing more to read for it. */
function room(raw: ServerResponse, failed: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      raw.off('drain', look);
      raw.off('close', look);
      failed?.removeEventListener('abort', look);
      resolve();
    };
    raw.on('drain', look);
    raw.on('close', look);
    failed?.addEventListener('abort', look);
    if (raw.destroyed || failed?.aborted) look();
  });
}
