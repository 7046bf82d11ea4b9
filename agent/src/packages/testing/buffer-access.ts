import { DamagedDatabase } from '../sqlite/damaged-database.ts';
import type { RandomAccess } from '../sqlite/random-access.ts';

/** A file in memory, for tests that damage it. */
export class BufferAccess implements RandomAccess {
  readonly size: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.size = bytes.length;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.size))
      throw new DamagedDatabase('The file ends within a page.');
    return this.#bytes.subarray(offset, offset + length);
  }

  async readInto(buffer: Buffer, offset: number): Promise<number> {
    return this.#bytes.copy(buffer, 0, Math.min(offset, this.size));
  }
}
