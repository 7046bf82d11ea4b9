import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { chunksOf } from './compression-slots.ts';

/** Bodies of this size are written with backpressure, because TLS would encrypt a copy of the whole body at once. */
export const backpressureThreshold = 256 * 1024;
/** Bytes written at a time; with TLS each chunk is also held encrypted. */
const chunkSize = { plain: 256 * 1024, encrypted: 64 * 1024 };

/** Writes a large body in chunks, after the headers. The chunks are views: nothing is copied. */
export function sendWithBackpressure(raw: ServerResponse, buffers: readonly Uint8Array[]): void {
  const size = chunkSize[raw.req.socket instanceof TLSSocket ? 'encrypted' : 'plain'];
  if (raw.req.method === 'HEAD') raw.end();
  else writeNext(raw, chunksOf(buffers, size));
}

/** The same through a compressor, which passes the client's backpressure on. */
export function sendCompressed(compressor: Writable, buffers: readonly Uint8Array[]): void {
  writeNext(compressor, chunksOf(buffers));
}

function writeNext(sink: Writable, chunks: Generator<Uint8Array>): void {
  for (;;) {
    if (sink.destroyed) return;
    const { value, done } = chunks.next();
    if (done) return void sink.end();
    if (!sink.write(value)) return void sink.once('drain', () => writeNext(sink, chunks));
  }
}
