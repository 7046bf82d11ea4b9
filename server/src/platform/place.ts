import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/**
 * Names what is kept in a data directory among what other nodes keep. Nodes that share a control store have a random name
 * each, kept beside the data; a node with a store of its own has no others.
 */
export function placeOf(directory: string, isShared: boolean): string {
  if (!isShared) return 'local';
  const file = join(directory, 'place');
  if (!existsSync(file)) writePrivateFile(file, randomUUID());
  return readFileSync(file, 'utf8').trim();
}
