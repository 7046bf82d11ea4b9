import type { ServerResponse } from 'node:http';
import { pipeline, type Writable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { FairShare } from '../platform/fair-share.ts';

/** JSON of this many bytes is worth it: less fits into one packet anyway. */
export const compressionThreshold = 1024;
/** What zlib holds for one body, with the chunk that it reads and the ones that wait to be sent. */
export const compressionMemory = 512 * 1024;
/** Each has one chunk in Node's four threads at a time, which telemetry needs too: sixteen delay it by a few milliseconds. */
const maxCompressions = 16;
/** What is compressed in one go, in about a millisecond. */
const chunkSize = 128 * 1024;

/**
 * Bodies that are being compressed, in Node's thread pool and only as fast as their clients read. An account that compresses
 * some leaves as many free as it has. Nobody waits: where no slot is free, the body is sent as it is.
 */
export class CompressionSlots extends FairShare {
  constructor() {
    super({ capacity: maxCompressions, reserve: 'its own' });
  }

  /** What takes the body of a response. The slot is free again when it ends or its client leaves. */
  into(response: ServerResponse, account: string): Writable {
    this.take(account);
    const compressor = createGzip({ level: constants.Z_BEST_SPEED });
    compressor.once('close', () => this.release(account));
    // Ends both when one fails: a client that sees no last chunk knows that the body is not whole.
    pipeline(compressor, response, () => {});
    return compressor;
  }
}

/** A body as it is given to a compressor: views, so that nothing is copied. */
export function* chunksOf(parts: readonly Uint8Array[], size = chunkSize): Generator<Uint8Array> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += size) yield part.subarray(start, start + size);
  }
}
