import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { HostFiles } from '../host/host-files.ts';
import { type Reading, read } from '../reading.ts';
import { failureOf } from './failure.ts';

/**
 * Milliseconds in which the kernel may give several changes the same time. A version is returned when they have passed, so
 * that any change while the file is read gives another one.
 */
const tick = 20;

export interface FileVersion {
  /** The place of the file in the file system of the agent. */
  readonly place: string;
  /** The same for all paths of a file. */
  readonly file: string;
  /** Changes with the content, the owner and the mode. */
  readonly version: string;
}

/** The version of a file, or of the names in a directory, without reading them. */
export async function fileVersion(files: HostFiles, path: string): Promise<Reading<FileVersion>> {
  const place = await files.place(path);
  if (place.is !== 'read') return place;
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = await stat(place.value, { bigint: true });
    const age = Date.now() - Number(ctimeMs);
    if (age >= 0 && age < tick) await setTimeout(tick - age);
    const file = `${dev}:${ino}`;
    return read({ place: place.value, file, version: `${file}:${size}:${mtimeNs}:${ctimeNs}` });
  } catch (error) {
    return failureOf(path, error);
  }
}
