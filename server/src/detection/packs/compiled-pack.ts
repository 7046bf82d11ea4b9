import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuiltInPolicy } from './policy.ts';
import type { BuiltInQuery } from './query.ts';

/** What the files of the packs say, read and checked. */
export interface PackContent {
  readonly policies: readonly BuiltInPolicy[];
  readonly queries: readonly BuiltInQuery[];
}

interface CompiledPack extends PackContent {
  /** Digest of the names, sizes and times of the files. */
  readonly digest: string;
}

/** Written by the build: reading and checking some two thousand files takes a second of every start. */
const place = new URL('../../packs.json', import.meta.url);

/** Undefined if there is no compiled pack, or a file has changed since. */
export function readCompiledPack(root: URL): PackContent | undefined {
  try {
    const { digest, ...content } = JSON.parse(readFileSync(place, 'utf8')) as CompiledPack;
    return digest === digestOf(root) ? content : undefined;
  } catch {
    return undefined;
  }
}

export function writeCompiledPack(root: URL, content: PackContent): void {
  const compiled: CompiledPack = { digest: digestOf(root), ...content };
  writeFileSync(place, JSON.stringify(compiled));
}

function digestOf(root: URL): string {
  const hash = createHash('sha256');
  for (const folder of ['policies', 'queries']) {
    const directory = fileURLToPath(new URL(folder, root));
    for (const file of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
      const { size, mtimeMs } = statSync(join(directory, file));
      hash.update(`${folder}/${file} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
