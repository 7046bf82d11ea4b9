import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

/** What the service makes in its data directory: everything else there is somebody else's and left alone. */
const ours =
  /^(?:control\.db(?:-wal|-shm|-journal|\.reserve)?|restore-scratch\.db(?:-wal|-shm|-journal)?|server\.(?:lock(?:-journal)?|pid)|operator\.sock|secret\.key|api-key\.json|place|tls|telemetry)(?:\.new)?$/;

/** For others than the owner. */
const foreignBits = 0o077;

/** Takes away what others may do with files that an earlier version, a copy or a restore from a tape left open to them. */
export function closeToOthers(directory: string, log: Log): void {
  const names = readdirSync(directory);
  const isAlone = names.every((name) => ours.test(name));
  const open = [
    ...names.filter((name) => ours.test(name)).flatMap((name) => openBelow(join(directory, name))),
    ...(isOpen(directory) ? [directory] : []),
  ];
  for (const path of open) {
    if (path === directory && !isAlone) {
      log.warn(
        { path },
        'the data directory is accessible to other users and contains their files: give the service its own directory with mode 0700',
      );
      continue;
    }
    try {
      const { mode } = lstatSync(path);
      chmodSync(path, mode & 0o7700);
      log.warn({ path }, 'was open to other users and is not any more');
    } catch (error) {
      log.warn(
        { path, error: String(error) },
        'is open to other users: give it mode 0600, or 0700 if it is a directory',
      );
    }
  }
}

/** The path itself and all below it; links are not followed. */
function openBelow(path: string): string[] {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (!entry || entry.isSymbolicLink()) return [];
  const below = entry.isDirectory() ? readdirSync(path).flatMap((name) => openBelow(join(path, name))) : [];
  return isOpen(path) ? [...below, path] : below;
}

function isOpen(path: string): boolean {
  return ((lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & foreignBits) !== 0;
}
