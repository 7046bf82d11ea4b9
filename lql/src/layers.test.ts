import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** Allowed imports per folder, besides itself. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
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
/** Tests, their data and generators. */
const isForTests = (file: string) => /\.(?:test|sample)\.ts$/.test(file);
const shipped = files.filter((file) => !isForTests(file));
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : 'top');

/** Imports of a file: package files by path, others by name. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(sources, file), 'utf8');
  const statement = /^(?:(?:import|export|\}).* from|import) '([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...text.matchAll(statement)].map(([, staticImport, dynamicImport]) => {
    const name = staticImport ?? dynamicImport ?? '';
    return name.startsWith('.') ? relative(sources, join(sources, dirname(file), name)) : name;
  });
}

describe('shipped code', () => {
  test('imports nothing from outside the package', () => {
    const violations = shipped.flatMap((file) => importsOf(file).filter((name) => !files.includes(name)));
    expect(violations).toEqual([]);
  });

  test('imports no test code', () => {
    const violations = shipped.flatMap((file) => importsOf(file).filter(isForTests));
    expect(violations).toEqual([]);
  });

  test('imports downwards only', () => {
    const violations = shipped
      .filter((file) => folderOf(file) !== 'top')
      .flatMap((file) =>
        importsOf(file)
          .filter(
            (name) =>
              folderOf(name) !== folderOf(file) && !allowedImports[folderOf(file)]?.includes(folderOf(name)),
          )
          .map((name) => `${file} imports ${name}`),
      );
    expect(violations).toEqual([]);
  });

  test('has no file of more than 400 lines', () => {
    expect(
      files.filter((file) => readFileSync(join(sources, file), 'utf8').split('\n').length > 400),
    ).toEqual([]);
  });

  test('has imports, so that the tests above are not vacuous', () => {
    expect(importsOf('check/checked.ts')).toContain('syntax/tree.ts');
    expect(importsOf('syntax/corpus.sample.ts')).toContain('node:fs');
    expect(shipped.flatMap(importsOf).length).toBeGreaterThan(50);
  });
});
