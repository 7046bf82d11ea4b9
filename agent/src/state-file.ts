import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file of the state directory, as JSON. Durable when it resolves; a crash leaves the old file or the new one. */
export async function writeStateFile(path: string, value: unknown): Promise<void> {
  const written = `${path}.new`;
  // Created anew, because the mode applies to new files only.
  await rm(written, { force: true });
  const file = await open(written, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(value));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(written, path);
  const directory = await open(dirname(path), 'r');
  await directory.sync().finally(() => directory.close());
}
