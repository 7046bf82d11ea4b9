import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf } from './blocks.ts';

/** After the README, in reading order; others follow by name. */
const firstDocuments = ['lql.md', 'alerts.md', 'own-policy.md', 'clients.md', 'operating.md'];

/** The code blocks of the README and of all documents that are not decisions. */
export function allBlocks(root: string): Block[] {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const ordered = [
    ...firstDocuments.filter((name) => names.includes(name)),
    ...names.filter((name) => !firstDocuments.includes(name)).sort(),
  ];
  return ['README.md', ...ordered.map((name) => `docs/${name}`)].flatMap((document) =>
    blocksOf(document, readFileSync(join(root, document), 'utf8')),
  );
}
