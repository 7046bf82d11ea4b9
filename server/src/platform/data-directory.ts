import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { isBusy, isFull } from './sqlite-error.ts';
import { StartError } from './start-error.ts';

/** Error codes of a full file system. */
const diskFullCodes = ['ENOSPC', 'EDQUOT'];

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export interface DirectoryLock {
  release(): void;
}

export function createDataDirectory(directory: string): void {
  if (existsSync(directory)) return;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
}

/**
 * Locks the directory for one server. Node has no file locks, but SQLite does: the operating system holds an exclusive
 * transaction on a lock file until this process ends, even after a crash.
 */
export function lockDataDirectory(directory: string): DirectoryLock {
  const pidFile = join(directory, 'server.pid');
  const lockFile = join(directory, 'server.lock');
  let lock: DatabaseSyncInstance | undefined;
  try {
    lock = new DatabaseSync(lockFile);
    // An on-disk journal needs a free block, and the disk may be full.
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw inUse(directory, pidFile);
    throw isFull(error) ? diskFull(lockFile, error as Error) : unusableLock(lockFile, error as Error);
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    // The file is only informational: a full disk must not prevent the start.
    if (!diskFullCodes.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
  return {
    release: () => {
      rmSync(pidFile, { force: true });
      lock?.close();
    },
  };
}

function inUse(directory: string, pidFile: string): DirectoryInUseError {
  const pid = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim() : '';
  const processName = /^\d{1,10}$/.test(pid) ? ` (process ${pid})` : '';
  return new DirectoryInUseError(
    `Another Vedette server${processName} is using the data directory ${directory}. Stop it, or set VEDETTE_DATA_DIR to another directory.`,
  );
}

function diskFull(file: string, { message }: Error): StartError {
  return new StartError(
    `The lock file ${file} can not be written (${message}): free some space where VEDETTE_DATA_DIR is.`,
  );
}

function unusableLock(file: string, { message }: Error): StartError {
  return new StartError(
    `The lock file ${file} is not usable (${message}): make sure that no Vedette server uses the directory, remove the file and start again.`,
  );
}
