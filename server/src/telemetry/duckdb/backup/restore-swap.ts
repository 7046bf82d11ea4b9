import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writePrivateFile } from '../../../platform/private-file.ts';

/*
 * The restore swap. A crash at any point leaves either the old state or the new one:
 *
 *   1. `restoring-ID/days` is filled, completed and synced to disk; nothing refers to it yet.
 *   2. The control store commits the restored rows together with the ID: the commit point.
 *   3. `days` becomes `replaced-ID`, `restoring-ID/days` becomes `days`.
 *   4. The leftovers of both are removed.
 *
 * `settle` does step 3 for a committed ID, wherever a crash interrupted it, and returns the leftovers for step 4. It runs
 * whenever the store is opened, so a running server and one that starts after a crash do the same.
 */

const restoring = 'restoring-';
const replaced = 'replaced-';
/** In the days directory, so that it is swapped with it. */
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

/** Writes the restore id and syncs the directory entries; file contents are on disk already. */
export function completeReplacement(directory: string, id: string): void {
  writePrivateFile(join(daysOfReplacement(directory), epochFile), id);
  syncDirectory(directory);
  syncDirectory(dirname(directory));
}

/** The id of the restore that these days come from; empty if none. */
export function epochOf(days: string): string {
  const file = join(days, epochFile);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Puts committed replacements in place. Returns the leftover directories, whose removal may take a while. */
export async function settle(
  telemetry: string,
  isCommitted: (id: string) => Promise<boolean>,
): Promise<string[]> {
  const days = daysOf(telemetry);
  const replacements = readdirSync(telemetry).filter((name) => name.startsWith(restoring));
  // Ids sort by start time: the last restore wins.
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
