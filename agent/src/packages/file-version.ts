import { stat } from 'node:fs/promises';
import type { HostFiles } from '../host/host-files.ts';
import { absent, type Reading, read, unreadable } from '../reading.ts';

export interface FileVersion {
  /** The place of the file in the file system of the agent. */
  readonly place: string;
  /** The same for all paths of a file. */
  readonly file: string;
  /** Changes with the content, the owner and the mode. */
  readonly version: string;
}

/** Tells whether a file, or the names in a directory, have changed, without reading them. */
export async function fileVersion(files: HostFiles, path: string): Promise<Reading<FileVersion>> {
  const place = await files.place(path);
  if (place.is !== 'read') return place;
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(place.value, { bigint: true });
    const file = `${dev}:${ino}`;
    return read({ place: place.value, file, version: `${file}:${size}:${mtimeNs}:${ctimeNs}` });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESRCH') return absent;
    return unreadable(
      code === 'EACCES' ? `${path} may only be read by its owner or root.` : `${path}: ${message}`,
    );
  }
}
