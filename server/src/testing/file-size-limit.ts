import { execFileSync, spawnSync } from 'node:child_process';

/** Whether the file size of a running process can be limited. CI must support it, so that nothing is skipped there. */
export const canLimitFiles = process.env.CI === 'true' || spawnSync('prlimit', ['--version']).status === 0;

/** Makes writes fail that would enlarge a file beyond the limit, like a full disk; `unlimited` removes the limit. */
export function limitFiles(bytes: number | 'unlimited', pid = process.pid): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
}
