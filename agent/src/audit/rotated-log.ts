import type { HostFiles } from '../host/host-files.ts';
import type { FileWork } from '../host/regular-file.ts';
import { absent, type Reading, read } from '../reading.ts';

export interface LogLimits {
  /** Bytes that are read at once. */
  readonly chunk: number;
  /** Bytes that may wait to be read; older ones are passed over. */
  readonly backlog: number;
}

const defaults: LogLimits = { chunk: 4 * 1024 * 1024, backlog: 64 * 1024 * 1024 };
/** `audit.log.1` to `audit.log.99`: auditd keeps up to 99 files. */
const maxRotations = 99;

export interface LogPosition {
  readonly inode: number;
  readonly offset: number;
}

export interface LogLines extends LogPosition {
  readonly lines: readonly string[];
  /** Whether the end of the file was reached; not while a line is being written. */
  readonly isAtEnd: boolean;
  /** Why lines are missing. */
  readonly missed?: string;
}

/** A log that is renamed to `NAME.1` when it is full. Its files are told apart by their inodes. */
export class RotatedLog {
  readonly #files: HostFiles;
  readonly #path: string;
  readonly #limits: LogLimits;

  constructor(files: HostFiles, path: string, limits = defaults) {
    this.#files = files;
    this.#path = path;
    this.#limits = limits;
  }

  /** The end of the log, where reading begins if nothing was read before. */
  async end(): Promise<Reading<LogPosition>> {
    const status = await this.#files.status(this.#path);
    return status.is === 'read' ? read({ inode: status.value.ino, offset: status.value.size }) : status;
  }

  /** Lines from a position on: of one file, and at most a chunk. */
  async linesFrom({ inode, offset }: LogPosition): Promise<Reading<LogLines>> {
    const current = await this.#files.status(this.#path);
    // Between the rename and the creation of the next file there is none: the one before may still be there.
    if (current.is === 'unreadable') return current;
    if (current.is === 'read' && current.value.ino === inode)
      return current.value.size < offset
        ? this.#lines(this.#path, 0, true, 'The log was truncated.')
        : this.#lines(this.#path, offset, true);
    const rotated = await this.#rotated(inode);
    if (rotated === undefined)
      return current.is === 'absent'
        ? absent
        : this.#lines(this.#path, 0, true, 'The log was rotated and deleted before it was read.');
    const rest = await this.#lines(this.#nameOf(rotated), offset, false);
    if (rest.is !== 'read' || rest.value.lines.length > 0 || !rest.value.isAtEnd) return rest;
    // The file is read: the next newer one follows.
    const next = await this.#lines(this.#nameOf(rotated - 1), 0, rotated === 1);
    return next.is === 'absent' ? rest : next;
  }

  #nameOf(rotation: number): string {
    return rotation === 0 ? this.#path : `${this.#path}.${rotation}`;
  }

  async #rotated(inode: number): Promise<number | undefined> {
    for (let rotation = 1; rotation <= maxRotations; rotation++) {
      const status = await this.#files.status(this.#nameOf(rotation));
      if (status.is !== 'read') return undefined;
      if (status.value.ino === inode) return rotation;
    }
    return undefined;
  }

  #lines(path: string, from: number, isCurrent: boolean, missed?: string): Promise<Reading<LogLines>> {
    const { chunk, backlog } = this.#limits;
    const lines: FileWork<LogLines> = async (file, { ino, size }) => {
      const skipped = Math.max(0, size - from - backlog);
      const start = from + skipped;
      const length = Math.max(0, Math.min(chunk, size - start));
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
      const isWhole = start + bytesRead >= size;
      const used = usedBytes(buffer.subarray(0, bytesRead), chunk, isWhole && !isCurrent);
      const reason = skipped > 0 ? `${skipped} bytes were passed over: too many events to read.` : missed;
      return read({
        ...{ inode: ino, offset: start + used, isAtEnd: start + used >= size },
        lines: buffer.toString('utf8', 0, used).split('\n').filter(Boolean),
        ...(reason !== undefined && { missed: reason }),
      });
    };
    return this.#files.opened(path, lines, false);
  }
}

/** Up to the last line end: the rest is still being written, unless nothing is added any more or it is no line. */
function usedBytes(bytes: Buffer, chunk: number, isFinal: boolean): number {
  const end = bytes.lastIndexOf('\n') + 1;
  return isFinal || (end === 0 && bytes.length === chunk) ? bytes.length : end;
}
