import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Marks a file being written; one found at startup was left behind by a crash. */
export const unfinishedSuffix = '.new';

/** Renames a complete file that is on disk, so that a named file is never partial. */
export function finish(path: string): void {
  renameSync(path + unfinishedSuffix, path);
  const directory = openSync(dirname(path), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/** The write-ahead logs of a file: the regular one, and those of a running checkpoint or recovery. */
export function logsOf(path: string): string[] {
  return [`${path}.wal.checkpoint`, `${path}.wal.recovery`, `${path}.wal`];
}

/** Removes a file and its logs, in an order that leaves it readable after a crash. */
export function removeFile(path: string): void {
  for (const name of [...logsOf(path), path]) rmSync(name, { force: true });
}
