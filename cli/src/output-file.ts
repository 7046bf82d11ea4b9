import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, open, realpath, rename, stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { TemporaryPath } from './temporary-path.ts';
import { UsageError } from './usage-error.ts';

/** Standard output instead of a file. */
export const standardOutput = '-';

/**
 * A file that appears as a whole: until it is finished, an existing one stays as it is. Devices and pipes are written
 * directly. Compressed if its name ends in `.gz`.
 */
export class OutputFile {
  readonly #path: string;
  readonly #stream: Writable;
  readonly #target: Writable;
  readonly #temporary: TemporaryPath | undefined;
  readonly #done: Promise<void>;
  #drained: Promise<unknown> | undefined;

  private constructor(path: string, target: Writable, temporary: TemporaryPath | undefined) {
    this.#path = path;
    this.#target = target;
    this.#temporary = temporary;
    this.#stream = path.endsWith('.gz') ? createGzip() : target;
    if (this.#stream !== target) this.#stream.pipe(target);
    this.#done = finished(target, { readable: false });
    // The failure is reported by the write that waits for it, or at the end.
    this.#done.catch(() => {});
  }

  static async open(given: string, { mode }: { readonly mode?: number } = {}): Promise<OutputFile> {
    if (given === standardOutput) return new OutputFile(given, process.stdout, undefined);
    try {
      const path = await realpath(given).catch(() => given);
      const present = await stat(path).catch(() => undefined);
      if (present && !present.isFile()) {
        const handle = await open(path, 'w');
        return new OutputFile(path, handle.createWriteStream(), undefined);
      }
      const temporary = new TemporaryPath(`${path}.${randomBytes(6).toString('hex')}.part`);
      const handle = await open(temporary.path, 'wx', mode ?? 0o666).catch((error: Error) => {
        temporary.keep();
        throw error;
      });
      if (present && mode === undefined) await chmod(temporary.path, present.mode & 0o777);
      return new OutputFile(path, handle.createWriteStream(), temporary);
    } catch (error) {
      throw problemOf(given, error as NodeJS.ErrnoException);
    }
  }

  /** Resolves when more is wanted. */
  async write(chunk: string | Buffer): Promise<void> {
    if (this.#stream.write(chunk)) return;
    // Shared by all that write at the same time.
    this.#drained ??= Promise.race([once(this.#stream, 'drain'), this.#ended()]).finally(() => {
      this.#drained = undefined;
    });
    await this.#drained;
  }

  /** Makes the file visible. */
  async finish(): Promise<void> {
    if (this.#target === process.stdout) return;
    try {
      this.#stream.end();
      await this.#done;
      if (!this.#temporary) return;
      await rename(this.#temporary.path, this.#path);
      this.#temporary.keep();
    } catch (error) {
      throw problemOf(this.#path, error as NodeJS.ErrnoException);
    }
  }

  /** Removes what was not finished. */
  close(): void {
    if (this.#target !== process.stdout) this.#target.destroy();
    this.#temporary?.remove();
  }

  async #ended(): Promise<void> {
    await this.#done.catch((error: NodeJS.ErrnoException) => {
      throw problemOf(this.#path, error);
    });
  }
}

function problemOf(path: string, error: NodeJS.ErrnoException): Error {
  if (!error.code?.startsWith('E')) return error;
  return new UsageError(`${path} can not be written: ${error.message}.`);
}
