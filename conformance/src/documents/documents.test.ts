import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { blocksOf } from './blocks.ts';
import { allBlocks } from './documents.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const blocks = allBlocks(root);
const isShell = (kind: string) => ['shell', 'server', 'ci', 'elsewhere'].includes(kind);

describe('the code blocks of README and docs', () => {
  test('are all of a kind that is run, or marked as output', () => {
    expect(blocks.length).toBeGreaterThan(50);
    expect(() => blocksOf('page.md', '# Page\n\n```sh later\nls\n```\n')).toThrow(
      "page.md:3: 'sh later' is not a kind of code block",
    );
  });

  test('are one server, one run of the tests that CI does, and many commands', () => {
    const ofReadme = blocks.filter(({ document }) => document === 'README.md');
    expect(ofReadme.filter(({ kind }) => kind === 'server')).toMatchObject([
      { text: 'npm ci && npm start\n' },
    ]);
    const ci = readFileSync(join(root, '.ci/run'), 'utf8').split('\n');
    for (const { text } of blocks.filter(({ kind }) => kind === 'ci')) expect(ci).toContain(text.trimEnd());
    expect(blocks.filter(({ kind }) => kind === 'shell').length).toBeGreaterThan(10);
  });

  test.each(
    blocks.filter(({ kind }) => isShell(kind)).map((block) => [`${block.document}:${block.line}`, block]),
  )('%s can be pasted: it is valid shell without placeholders', (_place, { text }) => {
    execFileSync('bash', ['-n'], { input: text });
    expect(text).not.toMatch(/\bURL\b|<[a-z-]+>|…/);
  });

  test('use no variable that an earlier block of the document does not set', () => {
    const wrong: string[] = [];
    const known = new Map<string, Set<string>>();
    for (const { document, line, kind, text } of blocks) {
      if (!isShell(kind)) continue;
      const set = known.get(document) ?? new Set(['HOME', 'PATH', 'PWD', 'USER']);
      known.set(document, set);
      for (const [, name = ''] of text.matchAll(/\b([A-Z][A-Z_]+)=/g)) set.add(name);
      for (const [, name = ''] of text.matchAll(/\$\{?([A-Z][A-Z_]+)/g))
        if (!set.has(name)) wrong.push(`${document}:${line}: $${name}`);
    }
    expect(wrong).toEqual([]);
  });
});
