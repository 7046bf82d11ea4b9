import { type FileHandle, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type FramePlace, frameOf, payloadOf, scanFrames } from './frame.ts';

const name = /^(\d{16})\.journal$/;

/** A file of the journal. It begins with the entry of that number, and the next one follows when it is large enough. */
export class Segment {
  readonly first: number;
  readonly #path: string;
  #file: FileHandle | undefined;
  #bytes: number;

  private constructor(path: string, first: number, bytes: number) {
    this.#path = path;
    this.first = first;
    this.#bytes = bytes;
  }

  static create(directory: string, first: number): Segment {
    return new Segment(join(directory, `${`${first}`.padStart(16, '0')}.journal`), first, 0);
  }

  /** The number of its first entry, if it is the name of a segment. */
  static firstOf(file: string): number | undefined {
    const found = name.exec(file)?.[1];
    return found === undefined ? undefined : Number(found);
  }

  /** Opens a segment, reads its frames and removes what was not written to its end. */
  static async open(directory: string, first: number) {
    const segment = Segment.create(directory, first);
    const { frames, damagedBytes, end } = scanFrames(await readFile(segment.#path));
    segment.#bytes = end;
    return { segment, frames, damagedBytes };
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Durable when it resolves. */
  async append(payload: Buffer): Promise<FramePlace> {
    const file = await this.#opened();
    const frame = frameOf(payload);
    const place = { offset: this.#bytes, bytes: frame.length };
    try {
      await file.write(frame, 0, frame.length, place.offset);
      await file.datasync();
    } catch (error) {
      // The start of a frame must not precede the next one.
      await file.truncate(place.offset).catch(() => undefined);
      throw error;
    }
    this.#bytes += frame.length;
    return place;
  }

  /** The payload of a frame; undefined if it was damaged since. */
  async payload({ offset, bytes }: FramePlace): Promise<Buffer | undefined> {
    const file = await this.#opened();
    const frame = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(frame, 0, bytes, offset);
    return bytesRead === bytes ? payloadOf(frame) : undefined;
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.#path, { force: true });
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#file) return this.#file;
    this.#file = await open(this.#path, this.#bytes > 0 ? 'r+' : 'w+', 0o600);
    if (this.#bytes > 0) await this.#file.truncate(this.#bytes);
    return this.#file;
  }
}
