import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/**
 * Identifies the data directory of a node. Nodes that share a control store each have a random id, stored in the data
 * directory; a node with its own store needs none.
 */
export function nodeIdOf(directory: string, isShared: boolean): string {
  if (!isShared) return 'local';
  const file = join(directory, 'place');
  if (!existsSync(file)) writePrivateFile(file, randomUUID());
  return readFileSync(file, 'utf8').trim();
}
