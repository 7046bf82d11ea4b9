import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** The database into which a restore loads an archive before it replaces anything. */
export function scratchFile(dataDirectory: string): string {
  return join(dataDirectory, 'restore-scratch.db');
}

/** It holds a copy of everything: a restore removes its own, the start of the server that of a restore that was killed. */
export function removeScratch(dataDirectory: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(scratchFile(dataDirectory) + suffix, { force: true });
}
