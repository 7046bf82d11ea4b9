import type { FileHandle } from 'node:fs/promises';
import { DamagedDatabase } from './damaged-database.ts';

/** A file of which parts are read: a database may be larger than the memory of the agent. */
export interface RandomAccess {
  readonly size: number;
  /** Exactly as many bytes; fails beyond the end. */
  read(offset: number, length: number): Promise<Buffer>;
  /** Fills the start of a buffer, which is used again and so is no garbage; how many bytes there were. */
  readInto(buffer: Buffer, offset: number): Promise<number>;
}

/** Pages that follow each other mostly do so in the file: some are read at once, and the last ones kept. */
const [blockBytes, maxBlocks] = [16 * 1024, 32];

export class RandomAccessFile implements RandomAccess {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #blocks = new Map<number, Buffer>();

  constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const number = Math.floor(offset / blockBytes);
    const start = offset - number * blockBytes;
    const bytes =
      start + length <= blockBytes
        ? (await this.#block(number)).subarray(start, start + length)
        : await this.#directly(offset, length);
    if (bytes.length < length) throw new DamagedDatabase('The file ends within a page.');
    return bytes;
  }

  async readInto(buffer: Buffer, offset: number): Promise<number> {
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await this.#file.read(buffer, filled, buffer.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }

  async #block(number: number): Promise<Buffer> {
    const known = this.#blocks.get(number);
    if (known) return known;
    const block = await this.#directly(number * blockBytes, blockBytes);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size < maxBlocks) break;
      this.#blocks.delete(oldest);
    }
    this.#blocks.set(number, block);
    return block;
  }

  async #directly(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, await this.readInto(buffer, offset));
  }
}
