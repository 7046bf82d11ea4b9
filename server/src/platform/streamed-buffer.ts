import { MessageChannel } from 'node:worker_threads';

/** Nobody listens there: memory that is handed over is free at once. */
const { port1: nowhere } = new MessageChannel();
nowhere.close();

/**
 * Bytes on their way whose memory is given back as soon as they have arrived. The collector counts memory outside of its
 * heap as growth of the heap: left to it, it would look through all of the heap after every few pages of a search.
 */
export class StreamedBuffer {
  static readonly none = new StreamedBuffer([]);

  readonly chunks: readonly Uint8Array[];
  readonly #memory: ArrayBuffer | undefined;

  /** All of some bytes. Memory that they share, as short buffers do, is left alone. */
  static of(bytes: Uint8Array<ArrayBuffer>): StreamedBuffer {
    return new StreamedBuffer([bytes], bytes.length === bytes.buffer.byteLength ? bytes.buffer : undefined);
  }

  /** Takes memory over in which nothing else may be. Chunks may lie elsewhere, which is left to the collector. */
  constructor(chunks: readonly Uint8Array[], memory?: ArrayBuffer) {
    this.chunks = chunks;
    this.#memory = memory;
  }

  /** From now on nobody may read the pieces. */
  release(): void {
    if (this.#memory) free(this.#memory);
  }
}

/** Gives memory back before the collector comes to it: all that lies in it is empty from now on. */
export function free(memory: ArrayBuffer): void {
  if (memory.byteLength === 0) return;
  try {
    nowhere.postMessage(undefined, [memory]);
  } catch {
    // Memory that Node shares among small buffers can not be handed over; the collector knows about it.
  }
}
