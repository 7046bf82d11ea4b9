import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ControlStore } from '../control/store.ts';
import { archiveLines } from './archive.ts';

/** A gzipped archive of the whole control store as it is at one moment, while the service goes on. */
export function backup(
  store: ControlStore,
  createdAt: string,
  secretKeys: readonly string[] | undefined,
): Readable {
  const archive = createGzip();
  store
    // The snapshot stays open until its last line is read, and no longer when whoever reads it goes away.
    .snapshot((db) => pipeline(Readable.from(textOf(archiveLines(db, createdAt, secretKeys))), archive))
    .catch((error: Error) => archive.destroy(error));
  return archive;
}

async function* textOf(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
