import type { ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/** A body of this size is written as fast as it is read, because TLS would make an encrypted copy of all of it at once. */
export const pacedFrom = 256 * 1024;
/** What is written at once. With TLS it is encrypted in memory for a client that reads nothing. */
const chunkSize = { plain: 256 * 1024, encrypted: 64 * 1024 };

/** Writes a large body, whose head is written, chunk by chunk; the chunks are views, and nothing is copied. */
export function sendPaced(raw: ServerResponse, parts: readonly Uint8Array[]): void {
  if (raw.req.method === 'HEAD') raw.end();
  else writeNext(raw, chunksOf(parts, raw.req.socket instanceof TLSSocket ? 'encrypted' : 'plain'));
}

function* chunksOf(parts: readonly Uint8Array[], kind: keyof typeof chunkSize): Generator<Uint8Array> {
  const size = chunkSize[kind];
  for (const part of parts) {
    for (let start = 0; start < part.length; start += size) yield part.subarray(start, start + size);
  }
}

function writeNext(raw: ServerResponse, chunks: Generator<Uint8Array>): void {
  for (;;) {
    if (raw.destroyed) return;
    const { value, done } = chunks.next();
    if (done) return void raw.end();
    if (!raw.write(value)) return void raw.once('drain', () => writeNext(raw, chunks));
  }
}
