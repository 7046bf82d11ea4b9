import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

/** Files that the service creates in its data directory; it leaves all other files unchanged. */
const ownFiles =
  /^(?:control\.db(?:-wal|-shm|-journal|\.reserve)?|restore-scratch\.db(?:-wal|-shm|-journal)?|server\.(?:lock(?:-journal)?|pid)|operator\.sock|secret\.key|api-key\.json|place|tls|telemetry|reports)(?:\.new)?$/;

/** Permission bits of group and others. */
const groupAndOtherBits = 0o077;

/**
 * Removes the permissions of group and others from files that an earlier version, a copy or a restored backup left
 * accessible.
 */
export function restrictPermissions(directory: string, log: Log): void {
  const names = readdirSync(directory);
  const isDedicated = names.every((name) => ownFiles.test(name));
  const accessible = [
    ...names.filter((name) => ownFiles.test(name)).flatMap((name) => accessibleBelow(join(directory, name))),
    ...(isAccessible(directory) ? [directory] : []),
  ];
  for (const path of accessible) {
    if (path === directory && !isDedicated) {
      log.warn(
        { path },
        'the data directory is accessible to other users and contains their files: give the service its own directory with mode 0700',
      );
      continue;
    }
    try {
      const { mode } = lstatSync(path);
      chmodSync(path, mode & 0o7700);
      log.warn({ path }, 'was accessible to other users: permissions removed');
    } catch (error) {
      log.warn(
        { path, error: String(error) },
        'is accessible to other users: give it mode 0600, or 0700 if it is a directory',
      );
    }
  }
}

/** The accessible paths at and below the path, without following symbolic links. */
function accessibleBelow(path: string): string[] {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry || entry.isSymbolicLink()) return [];
  const below = entry.isDirectory()
    ? readdirSync(path).flatMap((name) => accessibleBelow(join(path, name)))
    : [];
  return isAccessible(path) ? [...below, path] : below;
}

function isAccessible(path: string): boolean {
  return ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & groupAndOtherBits) !== 0;
}
