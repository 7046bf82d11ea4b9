import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isTransient } from '../../platform/sqlite-error.ts';
import { StartError } from '../../platform/start-error.ts';
import { openForWriting } from './open.ts';

/** The check reads the whole file, about half a second for this size; larger files would slow down every start. */
const maxCheckedBytes = 128 * 1024 * 1024;

/** Whether the file is missing or empty. */
export function isEmptyFile(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0;
}

/** Refuses a file that is not a database or has damaged pages. */
export function checkFile(file: string): void {
  if (!existsSync(dirname(file)))
    throw new StartError(
      `The directory of the control store ${file} does not exist: create it, or correct VEDETTE_CONTROL_URL.`,
    );
  if (isEmptyFile(file)) return;
  const damage = findDamage(file);
  if (damage !== undefined)
    throw new StartError(
      `The control store ${file} is damaged or can not be read (${damage}): put it back from a copy; or move it and its -wal and -shm files away, start with VEDETTE_START_EMPTY=1 and restore a backup.`,
    );
}

function findDamage(file: string): string | undefined {
  try {
    const database = openForWriting(file);
    try {
      if (statSync(file).size > maxCheckedBytes) return undefined;
      const [result] = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
      return result?.quick_check === 'ok'
        ? undefined
        : oneLine(result?.quick_check ?? 'it can not be checked');
    } finally {
      database.close();
    }
  } catch (error) {
    if (isTransient(error)) throw error;
    return oneLine((error as Error).message);
  }
}

function oneLine(message: string): string {
  return message.replaceAll(/\s+/g, ' ').trim();
}
