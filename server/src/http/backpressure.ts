import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { chunksOf } from './compression-slots.ts';

/** A body of this size is written as fast as it is read, because TLS would make an encrypted copy of all of it at once. */
export const backpressureThreshold = 256 * 1024;
/** What is written at once. With TLS it is encrypted in memory for a client that reads nothing. */
const chunkSize = { plain: 256 * 1024, encrypted: 64 * 1024 };

/** Writes a large body, whose head is written, chunk by chunk; the chunks are views, and nothing is copied. */
export function sendWithBackpressure(raw: ServerResponse, parts: readonly Uint8Array[]): void {
  const size = chunkSize[raw.req.socket instanceof TLSSocket ? 'encrypted' : 'plain'];
  if (raw.req.method === 'HEAD') raw.end();
  else writeNext(raw, chunksOf(parts, size));
}

/** The same through a compressor, which decides by what the client reads when it takes more. */
export function sendCompressed(compressor: Writable, parts: readonly Uint8Array[]): void {
  writeNext(compressor, chunksOf(parts));
}

function writeNext(sink: Writable, chunks: Generator<Uint8Array>): void {
  for (;;) {
    if (sink.destroyed) return;
    const { value, done } = chunks.next();
    if (done) return void sink.end();
    if (!sink.write(value)) return void sink.once('drain', () => writeNext(sink, chunks));
  }
}
