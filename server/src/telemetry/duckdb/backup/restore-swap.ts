import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writePrivateFile } from '../../../platform/private-file.ts';

/*
 * How restored records take the place of all others, so that a kill at any moment leaves the old state or the new one:
 *
 *   1. `restoring-ID/days` is filled, completed and on the disk; nothing refers to it.
 *   2. The control store commits the restored rows together with the ID. This decides.
 *   3. `days` becomes `replaced-ID`, `restoring-ID/days` becomes `days`.
 *   4. What is left of both is removed.
 *
 * `settle` does 3 for an ID that was committed, wherever a kill left it, and 4 for everything else. It runs whenever the
 * store is opened, so the running server and one that starts after a kill do the same.
 */

const restoring = 'restoring-';
const replaced = 'replaced-';
/** In the directory of the days, so that it changes with them. */
const epochFile = 'restored';

export function daysOf(telemetry: string): string {
  return join(telemetry, 'days');
}

export function replacementDirectory(telemetry: string, id: string): string {
  return join(telemetry, restoring + id);
}

export function daysOfReplacement(directory: string): string {
  return join(directory, 'days');
}

/** Says whose records these are and has every name of a file on the disk; their contents are there already. */
export function completeReplacement(directory: string, id: string): void {
  writePrivateFile(join(daysOfReplacement(directory), epochFile), id);
  syncDirectory(directory);
  syncDirectory(dirname(directory));
}

/** The id of the restore that these days come from; empty when none did. */
export function epochOf(days: string): string {
  const file = join(days, epochFile);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Puts in place what was committed. Returns what is to be removed, which may take a while. */
export async function settle(
  telemetry: string,
  isCommitted: (id: string) => Promise<boolean>,
): Promise<string[]> {
  const days = daysOf(telemetry);
  const replacements = readdirSync(telemetry).filter((name) => name.startsWith(restoring));
  // By the moment they were begun: the last one stays.
  for (const name of replacements.sort()) {
    const id = name.slice(restoring.length);
    const replacement = daysOfReplacement(join(telemetry, name));
    if (!existsSync(replacement) || !(await isCommitted(id))) continue;
    if (existsSync(days)) {
      const aside = join(telemetry, replaced + id);
      await rm(aside, { recursive: true, force: true });
      renameSync(days, aside);
    }
    renameSync(replacement, days);
    syncDirectory(telemetry);
  }
  return readdirSync(telemetry)
    .filter((name) => name.startsWith(restoring) || name.startsWith(replaced))
    .map((name) => join(telemetry, name));
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
