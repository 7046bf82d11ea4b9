import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (...words: [string, ...string[]]) =>
  spawnSync(words[0], words.slice(1), { stdio: 'ignore' }).status === 0;

/** Mounts a tmpfs of the given size on a directory. */
export function mountSmallDisk(directory: string, megabytes: number): void {
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', directory))
    throw new Error(`Can not mount a file system of ${megabytes} MB at ${directory}.`);
}

export function unmount(directory: string): void {
  run('umount', '-l', directory);
}

/** Mounting needs permissions that most users do not have. */
export function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'vedette-mount-'));
  const isPossible = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory);
  if (isPossible) unmount(directory);
  rmdirSync(directory);
  return isPossible;
}
