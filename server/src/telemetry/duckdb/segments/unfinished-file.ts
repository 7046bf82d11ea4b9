import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Of a file that is being written; one that is found at the start was left behind by a process that ended. */
export const unfinishedSuffix = '.new';

/** Gives a file its name, which it has only when it is complete and on disk: one that is not whole is damaged. */
export function finish(path: string): void {
  renameSync(path + unfinishedSuffix, path);
  const directory = openSync(dirname(path), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

/** The write-ahead logs of a file: the usual one, and those that a checkpoint or a recovery has while it runs. */
export function logsOf(path: string): string[] {
  return [`${path}.wal.checkpoint`, `${path}.wal.recovery`, `${path}.wal`];
}

/** Removes a file and what waits beside it. A process that ends in between leaves a file that can be opened. */
export function removeFile(path: string): void {
  for (const name of [...logsOf(path), path]) rmSync(name, { force: true });
}
