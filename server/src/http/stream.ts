import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { ClientDisconnected } from './client-disconnect.ts';
import { chunksOf } from './compression-slots.ts';
import type { JsonChunks } from './reply.ts';
import type { RawHeaders } from './response-headers.ts';

/**
 * Streams records with backpressure, through a compressor if there is one. If the source fails, the connection is destroyed:
 * without the last chunk the client knows that the response is incomplete.
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
        const isWritable = sink.write(chunk);
        sink.uncork();
        if (!isWritable) await drained(sink, rest.failed);
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

/** Resolves when the sink drains or closes, or the source fails. */
function drained(sink: Writable, failed: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      sink.off('drain', settle);
      sink.off('close', settle);
      failed?.removeEventListener('abort', settle);
      resolve();
    };
    sink.on('drain', settle);
    sink.on('close', settle);
    failed?.addEventListener('abort', settle);
    if (sink.destroyed || failed?.aborted) settle();
  });
}
