import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** Which folders each may import from, besides itself. */
const below: Readonly<Record<string, readonly string[]>> = {
  text: [],
  syntax: ['text'],
  catalogue: ['text', 'syntax'],
  check: ['text', 'syntax', 'catalogue'],
  compile: ['text', 'syntax', 'catalogue', 'check'],
  reference: ['text', 'syntax', 'catalogue', 'check'],
};

const sources = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
/** Tests, and the data and generators that only they read. */
const isForTests = (file: string) => /\.(?:test|sample)\.ts$/.test(file);
const shipped = files.filter((file) => !isForTests(file));
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : 'top');

/** What a file imports: a file of the package by its path, and anything else by its name. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(sources, file), 'utf8');
  const statement = /^(?:(?:import|export|\}).* from|import) '([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...text.matchAll(statement)].map(([, plain, late]) => {
    const name = plain ?? late ?? '';
    return name.startsWith('.') ? relative(sources, join(sources, dirname(file), name)) : name;
  });
}

describe('what ships', () => {
  test('imports nothing from outside the package', () => {
    const wrong = shipped.flatMap((file) => importsOf(file).filter((name) => !files.includes(name)));
    expect(wrong).toEqual([]);
  });

  test('imports nothing that is for tests', () => {
    const wrong = shipped.flatMap((file) => importsOf(file).filter(isForTests));
    expect(wrong).toEqual([]);
  });

  test('imports downwards only', () => {
    const wrong = shipped
      .filter((file) => folderOf(file) !== 'top')
      .flatMap((file) =>
        importsOf(file)
          .filter(
            (name) => folderOf(name) !== folderOf(file) && !below[folderOf(file)]?.includes(folderOf(name)),
          )
          .map((name) => `${file} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  test('has no file of more than 400 lines', () => {
    expect(
      files.filter((file) => readFileSync(join(sources, file), 'utf8').split('\n').length > 400),
    ).toEqual([]);
  });

  test('is found, so that the above means something', () => {
    expect(importsOf('check/checked.ts')).toContain('syntax/tree.ts');
    expect(importsOf('syntax/corpus.sample.ts')).toContain('node:fs');
    expect(shipped.flatMap(importsOf).length).toBeGreaterThan(50);
  });
});
