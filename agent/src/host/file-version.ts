import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type Reading, read } from '../reading.ts';
import { type HostFiles, readingOf } from './host-files.ts';

/**
 * Milliseconds in which the kernel may give several changes the same time. A version is returned when they have passed, so
 * that any change while the file is read gives another one.
 */
const tick = 20;

export interface FileVersion {
  /** Changes with the content, the owner and the mode. */
  readonly version: string;
  readonly status: BigIntStats;
}

/** Changes whenever a file does. */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** The version of a file, or of the names in a directory, without reading them. */
export async function fileVersion(files: HostFiles, path: string): Promise<Reading<FileVersion>> {
  const place = await files.place(path);
  if (place.is !== 'read') return place;
  try {
    const status = await stat(place.value, { bigint: true });
    const age = Date.now() - Number(status.ctimeMs);
    if (age >= 0 && age < tick) await setTimeout(tick - age);
    return read({ version: versionOf(status), status });
  } catch (error) {
    return readingOf(path, error);
  }
}
