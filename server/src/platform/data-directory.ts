import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

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
  const lock = new DatabaseSync(join(directory, 'server.lock'));
  try {
    lock.exec('pragma busy_timeout = 0; begin exclusive');
  } catch {
    lock.close();
    const holder = existsSync(holderFile) ? ` (process ${readFileSync(holderFile, 'utf8').trim()})` : '';
    throw new DirectoryInUseError(
      `Another Vedette server${holder} is using the data directory ${directory}. Stop it, or set VEDETTE_DATA_DIR to another directory.`,
    );
  }
  writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 });
  return {
    release: () => {
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}
