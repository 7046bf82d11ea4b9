import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { isBusy, isFull } from './sqlite-error.ts';
import { StartError } from './start-error.ts';

/** What the file system says when it is full. */
const fullCodes = ['ENOSPC', 'EDQUOT'];

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
 * One server per directory. Node has no file locks, but SQLite does: an exclusive transaction on a file of its own is
 * held by the operating system until this process ends, however it ends.
 */
export function lockDataDirectory(directory: string): DirectoryLock {
  const holderFile = join(directory, 'server.pid');
  const lockFile = join(directory, 'server.lock');
  let lock: DatabaseSyncInstance | undefined;
  try {
    lock = new DatabaseSync(lockFile);
    // A journal in a file would need a block of the disk, which may have none left.
    lock.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw inUse(directory, holderFile);
    throw isFull(error) ? noRoom(lockFile, error as Error) : notALock(lockFile, error as Error);
  }
  try {
    writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    // It only tells people which process it is: a service whose disk is full has to start all the same.
    if (!fullCodes.includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
  return {
    release: () => {
      rmSync(holderFile, { force: true });
      lock?.close();
    },
  };
}

function inUse(directory: string, holderFile: string): DirectoryInUseError {
  const holder = existsSync(holderFile) ? readFileSync(holderFile, 'utf8').trim() : '';
  const named = /^\d{1,10}$/.test(holder) ? ` (process ${holder})` : '';
  return new DirectoryInUseError(
    `Another Vedette server${named} is using the data directory ${directory}. Stop it, or set VEDETTE_DATA_DIR to another directory.`,
  );
}

function noRoom(file: string, { message }: Error): StartError {
  return new StartError(
    `The lock file ${file} can not be written (${message}): free some space where VEDETTE_DATA_DIR is.`,
  );
}

function notALock(file: string, { message }: Error): StartError {
  return new StartError(
    `The lock file ${file} is not usable (${message}): make sure that no Vedette server uses the directory, remove the file and start again.`,
  );
}
