import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { readingOf } from '../host/host-files.ts';
import { type Reading, read, unreadable } from '../reading.ts';

const chunk = 256 * 1024;

/** Changes when the content of a file does. */
export function changeKey({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** The SHA-256 of a file with the expected change key, in hexadecimal. */
export async function fileDigest(
  place: string,
  expected: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Reading<string>> {
  let file: FileHandle | undefined;
  try {
    file = await open(place, 'r');
    // A process may have been replaced by another one, and the file by another one, since it was looked at.
    if (changeKey(await file.stat({ bigint: true })) !== expected) return unreadable(`${place} has changed.`);
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(chunk);
    for (let size = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, chunk, null);
      if (bytesRead === 0) return read(hash.digest('hex'));
      size += bytesRead;
      if (size > maxBytes || signal.aborted) return unreadable(`${place} was not read to its end.`);
      hash.update(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    return readingOf(place, error as NodeJS.ErrnoException);
  } finally {
    await file?.close();
  }
}
