import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { HostFiles } from '../host/host-files.ts';
import { absent, type Reading, read, unreadable } from '../reading.ts';

/** Larger files are not read. */
export const maxDigestBytes = 100 * 1024 * 1024;
const chunkBytes = 128 * 1024;

/** The SHA-256 of the content of a regular file, in hexadecimal. */
export async function fileDigest(
  files: HostFiles,
  path: string,
  maxBytes = maxDigestBytes,
): Promise<Reading<string>> {
  const place = await files.place(path);
  if (place.is !== 'read') return place;
  try {
    // Something else may have taken the place of the file since it was listed: a link, or a pipe to be waited for.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
    const file = await open(place.value, flags);
    try {
      if (!(await file.stat()).isFile()) return unreadable(`${path} is not a regular file.`);
      const [hash, buffer] = [createHash('sha256'), Buffer.allocUnsafe(chunkBytes)];
      for (let size = 0; ; ) {
        const { bytesRead } = await file.read({ buffer });
        if (bytesRead === 0) return read(hash.digest('hex'));
        size += bytesRead;
        if (size > maxBytes) return unreadable(`${path} has more than ${maxBytes} bytes.`);
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return absent;
    if (code === 'EACCES' || code === 'EPERM') return unreadable(`${path} may only be read by root.`);
    return unreadable(`${path}: ${message}`);
  }
}

/** A symbolic link has no content: its target counts. */
export function targetDigest(target: string): string {
  return createHash('sha256').update(target).digest('hex');
}
