import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (...words: [string, ...string[]]) =>
  spawnSync(words[0], words.slice(1), { stdio: 'ignore' }).status === 0;

/** Makes a directory a file system of its own, of so many megabytes. */
export function mountSmallDisk(directory: string, megabytes: number): void {
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', directory))
    throw new Error(`A file system of ${megabytes} MB can not be mounted at ${directory}.`);
}

export function unmount(directory: string): void {
  run('umount', '-l', directory);
}

/** Mounting takes rights that most users do not have. */
export function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-mount-'));
  const isPossible = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory);
  if (isPossible) unmount(directory);
  rmdirSync(directory);
  return isPossible;
}
