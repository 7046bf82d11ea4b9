import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mapped, type Reading } from '../reading.ts';
import { type ContentLimits, readChunks } from './regular-file.ts';

/** The SHA-256 of the content of a file, in hexadecimal. */
export async function contentDigest(
  file: FileHandle,
  path: string,
  limits: ContentLimits,
): Promise<Reading<string>> {
  const hash = createHash('sha256');
  const content = await readChunks(file, path, limits, (chunk) => hash.update(chunk));
  return mapped(content, () => hash.digest('hex'));
}
