import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { ClientDisconnected } from './client-disconnect.ts';
import { chunksOf } from './compression-slots.ts';
import type { JsonChunks } from './reply.ts';
import type { RawHeaders } from './response-headers.ts';

/**
 * Writes records as they come, no faster than the client reads, through a compressor where there is one. When they break off,
 * the connection does too: an answer without its last chunk is taken for whole by no client.
 */
export async function stream(
  raw: ServerResponse,
  status: number,
  head: RawHeaders,
  { first, rest, head: members }: JsonChunks,
  compressor?: Writable,
): Promise<void> {
  const sink = compressor ?? raw;
  try {
    raw.writeHead(status, head);
    let start = `{${members}"data":[`;
    for (let received = first; received; received = await next(rest)) {
      for (const chunk of compressor ? chunksOf([received]) : [received]) {
        if (raw.destroyed) throw new ClientDisconnected();
        sink.cork();
        if (start) sink.write(start);
        start = '';
        const goesOn = sink.write(chunk);
        sink.uncork();
        if (!goesOn) await room(sink, rest.failed);
      }
    }
    if (raw.destroyed) throw new ClientDisconnected();
    sink.end(`${start}]}`);
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    await rest.return?.();
  }
}

async function next(rest: JsonChunks['rest']): Promise<Uint8Array | undefined> {
  const { value, done } = await rest.next();
  return done ? undefined : value;
}

/** Until the client has read what was written, or is gone, or there is nothing more to read for it. */
function room(sink: Writable, failed: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      sink.off('drain', look);
      sink.off('close', look);
      failed?.removeEventListener('abort', look);
      resolve();
    };
    sink.on('drain', look);
    sink.on('close', look);
    failed?.addEventListener('abort', look);
    if (sink.destroyed || failed?.aborted) look();
  });
}
