import { Readable } from 'node:stream';
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
    .snapshot(async (db) => {
      const lines = Readable.from(textOf(archiveLines(db, createdAt, secretKeys)));
      lines.on('error', (error) => archive.destroy(error));
      lines.pipe(archive);
      // The snapshot must stay open until its last line is read.
      await new Promise<void>((done) => lines.once('close', done));
    })
    .catch((error: Error) => archive.destroy(error));
  return archive;
}

async function* textOf(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
