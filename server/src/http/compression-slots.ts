import type { ServerResponse } from 'node:http';
import { pipeline, type Writable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { FairShare } from '../platform/fair-share.ts';

/** Minimum bytes of JSON that is compressed: a shorter body fits into one packet anyway. */
export const compressionThreshold = 1024;
/** Bytes that zlib holds for one body, including its input chunk and pending output. */
export const compressionMemory = 512 * 1024;
/** Telemetry shares Node's four pool threads: sixteen compressions delay it by a few milliseconds. */
const maxCompressions = 16;
/** Bytes compressed at a time, in about a millisecond. */
const chunkSize = 128 * 1024;

/**
 * Limits concurrent compressions, which run in Node's thread pool with backpressure from the client. An account must leave
 * as many slots free as it uses. Nothing queues: without a free slot the body is sent uncompressed.
 */
export class CompressionSlots extends FairShare {
  constructor() {
    super({ capacity: maxCompressions, reserve: 'its own' });
  }

  /** A stream that compresses into the response. Its slot is released when it ends or the client disconnects. */
  compressTo(response: ServerResponse, account: string): Writable {
    this.take(account);
    const compressor = createGzip({ level: constants.Z_BEST_SPEED });
    compressor.once('close', () => this.release(account));
    // Destroys both when one fails: without the last chunk the client knows that the body is incomplete.
    pipeline(compressor, response, () => {});
    return compressor;
  }
}

/** Splits buffers into views of at most `size` bytes, without copying. */
export function* chunksOf(buffers: readonly Uint8Array[], size = chunkSize): Generator<Uint8Array> {
  for (const buffer of buffers) {
    for (let start = 0; start < buffer.length; start += size) yield buffer.subarray(start, start + size);
  }
}
