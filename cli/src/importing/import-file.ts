import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { CollectError } from '@vedette/server/collect/inventory/problem';
import { UsageError } from '../usage-error.ts';

/** Bytes of a file that can only be read as a whole, uncompressed, and characters of a line in others. */
const defaultLimits = { bytes: 256 * 1024 * 1024, line: 16 * 1024 * 1024 };

/** An export file of a cloud, compressed with gzip or not. */
export class ImportFile {
  readonly path: string;
  readonly #limits: typeof defaultLimits;

  constructor(path: string, limits = defaultLimits) {
    this.path = path;
    this.#limits = limits;
  }

  get name(): string {
    return basename(this.path);
  }

  /** In epoch milliseconds. */
  async modified(): Promise<number> {
    return this.explained(async () => Math.floor((await stat(this.path)).mtimeMs));
  }

  async json(): Promise<unknown> {
    return this.explained(async () => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of await this.#content()) {
        bytes += chunk.length;
        if (bytes > this.#limits.bytes)
          throw new UsageError(
            `It has more than ${this.#limits.bytes / 1024 / 1024} MiB uncompressed: export less at a time.`,
          );
        chunks.push(chunk);
      }
      try {
        return JSON.parse(
          Buffer.concat(chunks)
            .toString()
            .replace(/^\uFEFF/, ''),
        );
      } catch {
        throw new UsageError('It is not valid JSON.');
      }
    });
  }

  async *lines(): AsyncGenerator<string> {
    const decoder = new StringDecoder('utf8');
    let rest = '';
    for await (const chunk of await this.explained(() => this.#content())) {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
      if (rest.length > this.#limits.line)
        throw new UsageError(`${this.path}: A line has more than ${this.#limits.line} characters.`);
    }
    if (rest !== '') yield rest;
  }

  /** Problems of the file name it. */
  async explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.problem(error);
    }
  }

  problem(error: unknown): Error {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UsageError || error instanceof CollectError)
      return new UsageError(`${this.path}: ${message}`);
    if (code === 'ENOENT') return new UsageError(`${this.path}: There is no such file.`);
    if (code === 'EISDIR') return new UsageError(`${this.path}: It is a directory: name its files.`);
    if (code?.startsWith('Z_')) return new UsageError(`${this.path}: It is damaged: ${message}.`);
    if (code?.startsWith('E')) return new UsageError(`${this.path}: It can not be read: ${message}.`);
    return error as Error;
  }

  /** Compressed files are recognized by their first bytes. */
  async #content(): Promise<AsyncIterable<Buffer>> {
    const handle = await open(this.path);
    const { bytesRead, buffer } = await handle
      .read(Buffer.alloc(2), 0, 2, 0)
      .catch(async (error: unknown) => {
        await handle.close();
        throw error;
      });
    const stream: Readable = handle.createReadStream({ start: 0 });
    if (bytesRead < 2 || buffer.readUInt16BE() !== 0x1f8b) return stream;
    const gunzip = createGunzip();
    stream.once('error', (error) => gunzip.destroy(error));
    // A reader may stop early, which ends the last stream only.
    gunzip.once('close', () => stream.destroy());
    return stream.pipe(gunzip);
  }
}
