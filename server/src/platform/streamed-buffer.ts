import { MessageChannel } from 'node:worker_threads';

/** A closed port without a receiver: transferred memory is released immediately. */
const { port1: closedPort } = new MessageChannel();
closedPort.close();

/**
 * Chunks being streamed, whose memory is released as soon as they are sent. V8 counts external memory as heap growth:
 * without the release, every few pages of a search would trigger a full garbage collection.
 */
export class StreamedBuffer {
  static readonly none = new StreamedBuffer([]);

  readonly chunks: readonly Uint8Array[];
  readonly #memory: ArrayBuffer | undefined;

  /** Wraps a whole buffer; memory shared with other buffers, as small ones have, is not released. */
  static of(bytes: Uint8Array<ArrayBuffer>): StreamedBuffer {
    return new StreamedBuffer([bytes], bytes.length === bytes.buffer.byteLength ? bytes.buffer : undefined);
  }

  /** Takes ownership of `memory`, which must hold nothing else. Chunks outside of it are left to the garbage collector. */
  constructor(chunks: readonly Uint8Array[], memory?: ArrayBuffer) {
    this.chunks = chunks;
    this.#memory = memory;
  }

  /** The chunks must not be read afterwards. */
  release(): void {
    if (this.#memory) free(this.#memory);
  }
}

/** Releases a buffer that has its memory for itself; it must not be read afterwards. */
export function freeBytes({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) free(buffer);
}

/** Releases memory without waiting for garbage collection; all views of it become empty. */
export function free(memory: ArrayBuffer): void {
  if (memory.byteLength === 0) return;
  try {
    closedPort.postMessage(undefined, [memory]);
  } catch {
    // The shared pool of small buffers cannot be transferred; the garbage collector handles it.
  }
}
