import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { type HostFiles, readingOf } from '../host/host-files.ts';
import { mapped, type Reading, read, unreadable } from '../reading.ts';

const buffer = Buffer.allocUnsafe(64 * 1024);

/**
 * The files of `/proc`, read synchronously: the kernel makes them up in memory, and thousands of them are read at once,
 * where waiting for each takes ten times the processor time.
 */
export class ProcDirectory {
  readonly #place: string;

  private constructor(place: string) {
    this.#place = place;
  }

  static async open(files: HostFiles): Promise<Reading<ProcDirectory>> {
    return mapped(await files.place('/proc'), (place) => new ProcDirectory(place));
  }

  /** The place of a file for what is read otherwise. */
  place(path: string): string {
    return `${this.#place}/${path}`;
  }

  /** The beginning of a file. */
  start(path: string, maxBytes = buffer.length): Reading<Buffer> {
    return this.#reading(path, (place) => {
      const file = openSync(place, 'r');
      try {
        const chunks: Buffer[] = [];
        for (let size = 0, count = -1; count !== 0 && size < maxBytes; size += count) {
          count = readSync(file, buffer, 0, Math.min(buffer.length, maxBytes - size), null);
          chunks.push(Buffer.from(buffer.subarray(0, count)));
        }
        return read(Buffer.concat(chunks));
      } finally {
        closeSync(file);
      }
    });
  }

  /** The beginning of a file as UTF-8. */
  text(path: string, maxBytes?: number): Reading<string> {
    return mapped(this.start(path, maxBytes), (bytes) => bytes.toString('utf8'));
  }

  target(path: string): Reading<string> {
    return this.#reading(path, (place) => read(readlinkSync(place)));
  }

  names(path: string, maxNames: number): Reading<readonly string[]> {
    return this.#reading(path, (place) => {
      const names = readdirSync(place);
      return names.length > maxNames
        ? unreadable(`/proc/${path} has more than ${maxNames} entries.`)
        : read(names);
    });
  }

  #reading<Value>(path: string, work: (place: string) => Reading<Value>): Reading<Value> {
    try {
      return work(this.place(path));
    } catch (error) {
      return readingOf(`/proc/${path}`, error, 'processes');
    }
  }
}
