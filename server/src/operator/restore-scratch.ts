import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** The scratch database into which a restore loads an archive. */
export function scratchFile(dataDirectory: string): string {
  return join(dataDirectory, 'restore-scratch.db');
}

/** It contains a full copy: removed after each restore, and at start-up after an interrupted one. */
export function removeScratch(dataDirectory: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal'])
    rmSync(scratchFile(dataDirectory) + suffix, { force: true });
}
