import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { HostFiles } from '../host/host-files.ts';
import { type Reading, read } from '../reading.ts';
import { layoutBytes } from './utmp.ts';

/** Per observation; more is read at the next one. */
const maxBytes = 1024 * 1024;
const maxNames = 10_000;

/** Up to where a file was read. The inode tells rotated files apart. */
export interface Position {
  readonly inode: string;
  readonly offset: number;
}

/** What was added to one file. */
export interface Part {
  readonly position: Position;
  /** How the file begins, which shows its layout. */
  readonly start: Buffer;
  readonly bytes: Buffer;
  /** Whether nothing follows for now. */
  readonly isAtEnd: boolean;
  /** When the file was last written, in milliseconds since the epoch. */
  readonly writtenAt: number;
}

/** What was added to a file since a position: first the rest of the one that was rotated away. At first, its last part. */
export async function readAdded(
  files: HostFiles,
  path: string,
  position: Position | undefined,
): Promise<Reading<readonly Part[]>> {
  const current = await readPart(files, path, position);
  if (current.is !== 'read' || !position || current.value.position.inode === position.inode)
    return current.is === 'read' ? read([current.value]) : current;
  const rest = await rotatedPart(files, path, position);
  if (!rest) return read([current.value]);
  return read(rest.isAtEnd ? [rest, current.value] : [rest]);
}

/** Rotated files have a number or a date after their name. */
async function rotatedPart(files: HostFiles, path: string, position: Position): Promise<Part | undefined> {
  const names = await files.names(dirname(path), maxNames);
  if (names.is !== 'read') return undefined;
  const base = basename(path);
  for (const name of names.value) {
    if (!name.startsWith(`${base}.`) && !name.startsWith(`${base}-`)) continue;
    const status = await files.status(join(dirname(path), name));
    if (status.is !== 'read' || !status.value.isFile() || String(status.value.ino) !== position.inode)
      continue;
    const part = await readPart(files, join(dirname(path), name), position);
    if (part.is === 'read' && part.value.position.inode === position.inode) return part.value;
  }
  return undefined;
}

function readPart(files: HostFiles, path: string, position: Position | undefined): Promise<Reading<Part>> {
  return files.opened(path, async (file, { ino, size, mtimeMs }) => {
    const offset = offsetIn(size, String(ino), position);
    const bytes = await bytesAt(file, offset, Math.min(maxBytes, size - offset));
    const start = await bytesAt(file, 0, Math.min(layoutBytes, size));
    const isAtEnd = offset + bytes.length >= size;
    return read({ position: { inode: String(ino), offset }, start, bytes, isAtEnd, writtenAt: mtimeMs });
  });
}

/** A new file is read from its start, and so is one that was emptied. */
function offsetIn(size: number, inode: string, position: Position | undefined): number {
  // Records of both layouts begin at the multiples of this.
  if (!position) return Math.max(0, Math.ceil((size - maxBytes) / layoutBytes) * layoutBytes);
  return position.inode === inode && position.offset <= size ? position.offset : 0;
}

async function bytesAt(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}
