import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from './usage-error.ts';

const existing = new Set<string>();
/** As shells report a process that a signal ended. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** A file or directory that is removed when it is no longer needed, and also when the process is interrupted. */
export class TemporaryPath {
  readonly path: string;

  constructor(path: string) {
    removeAtExit();
    this.path = path;
    existing.add(path);
  }

  /** A new directory that only its owner can read. */
  static directory(prefix: string): TemporaryPath {
    try {
      return new TemporaryPath(mkdtempSync(join(tmpdir(), prefix)));
    } catch (error) {
      throw new UsageError(
        `No temporary directory can be made (${(error as Error).message}): set TMPDIR to a directory that can be written.`,
      );
    }
  }

  /** It was renamed: there is nothing to remove. */
  keep(): void {
    existing.delete(this.path);
  }

  remove(): void {
    if (!existing.delete(this.path)) return;
    // Threads of the engine may still write into the directory while it is removed.
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}

let isInstalled = false;

/** Only for commands that have temporary files: others leave signals to Node. */
function removeAtExit(): void {
  if (isInstalled) return;
  isInstalled = true;
  process.once('exit', () => {
    for (const path of existing) new TemporaryPath(path).remove();
  });
  for (const [signal, status] of Object.entries(signals)) process.once(signal, () => process.exit(status));
}
