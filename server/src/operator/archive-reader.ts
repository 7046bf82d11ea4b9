import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../platform/errors.ts';

/** Far more than any row or record; longer lines are rejected without reading them to the end. */
const maxLength = 128 * 1024 * 1024;
const newline = 10;

/** Reads an archive sequentially, by lines or by a number of bytes. */
export class ArchiveReader {
  readonly #archive: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(archive: Readable) {
    const decompressed = createGunzip({ chunkSize: 128 * 1024 });
    archive.on('error', (error) => decompressed.destroy(error));
    this.#archive = archive;
    this.#chunks = archive.pipe(decompressed)[Symbol.asyncIterator]();
  }

  /** Drains a rejected archive, because its sender would wait forever otherwise. */
  async close(): Promise<void> {
    this.#archive.unpipe();
    this.#archive.resume();
    await this.#chunks.return?.();
  }

  /** The object on the next line; undefined at the end. */
  async line(): Promise<object | undefined> {
    const chunks: Buffer[] = [];
    for (let length = 0; ; ) {
      const end = this.#chunk.indexOf(newline);
      if (end >= 0) {
        chunks.push(this.#take(end));
        this.#take(1);
        break;
      }
      length += this.#chunk.length;
      if (length > maxLength) throw unreadable('a line is too long');
      chunks.push(this.#chunk);
      if (!(await this.#next())) {
        if (length === 0) return undefined;
        break;
      }
    }
    return parseLine(Buffer.concat(chunks).toString('utf8'));
  }

  /** Reads this number of bytes and the line break after them. */
  async bytes(count: number): Promise<Buffer> {
    if (count > maxLength) throw unreadable('a batch is too large');
    const chunks: Buffer[] = [];
    for (let missing = count + 1; missing > 0; ) {
      if (this.#chunk.length === 0 && !(await this.#next())) throw truncated();
      const chunk = this.#take(Math.min(missing, this.#chunk.length));
      chunks.push(chunk);
      missing -= chunk.length;
    }
    const bytes = Buffer.concat(chunks);
    if (bytes[count] !== newline) throw unreadable('a batch is longer than its header says');
    return bytes.subarray(0, count);
  }

  #take(length: number): Buffer {
    const taken = this.#chunk.subarray(0, length);
    this.#chunk = this.#chunk.subarray(length);
    return taken;
  }

  async #next(): Promise<boolean> {
    try {
      const { value, done } = await this.#chunks.next();
      this.#chunk = done ? Buffer.alloc(0) : value;
      return !done;
    } catch {
      throw unreadable('it is not a complete gzip file');
    }
  }
}

export function unreadable(reason: string): Refusal {
  return new Refusal('INVALID_INPUT', `The archive can not be restored: ${reason}.`);
}

export function truncated(): Refusal {
  return unreadable('it is truncated');
}

function parseLine(line: string): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw unreadable('a line is not valid JSON');
  }
  if (typeof value !== 'object' || value === null) throw unreadable('a line is not an object');
  return value;
}
