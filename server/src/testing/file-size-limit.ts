import { execFileSync, spawnSync } from 'node:child_process';

/** Whether this machine can limit the files of a process that runs. In CI it must: nothing is skipped there. */
export const canLimitFiles = process.env.CI === 'true' || spawnSync('prlimit', ['--version']).status === 0;

/** Lets writes of a process fail that would make a file larger, as a full disk does; `unlimited` lifts it again. */
export function limitFiles(bytes: number | 'unlimited', pid = process.pid): void {
  execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
}
