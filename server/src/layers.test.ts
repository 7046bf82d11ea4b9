import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** From the ground up: a folder may import from those before it, and from itself. */
const layers = [
  'platform',
  'outbound',
  'search',
  'control',
  'telemetry',
  'datasources',
  'querying',
  'jobs',
  'identity',
  'integrations',
  'rules',
  'agents',
  'groups',
  'team',
  'alerts',
  'detection',
  'delivery',
  'collect',
  'http',
  'families',
  'operator',
  'features',
  'simulate',
];

const sources = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'),
);

const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : 'top');
const featureOf = (file: string) => (folderOf(file) === 'features' ? file.split('/')[1] : undefined);

function importsOf(file: string): string[] {
  const text = readFileSync(join(sources, file), 'utf8');
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
    (match) => match[1] as string,
  );
  return names.map((name) => relative(sources, join(sources, dirname(file), name)));
}

describe('imports', () => {
  test('run downwards only, and no feature knows another', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => {
          if (folderOf(file) === 'top') return false;
          const [from, to] = [layers.indexOf(folderOf(file)), layers.indexOf(folderOf(target))];
          return to < 0 || to > from || featureOf(file) !== (featureOf(target) ?? featureOf(file));
        })
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('of the simulator are declarations of datasets, and the server runs without it', () => {
    const isDeclaration = (target: string) => /^(?:simulate\/|telemetry\/datasets?[/.])/.test(target);
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) =>
          folderOf(file) === 'simulate' ? !isDeclaration(target) : folderOf(target) === 'simulate',
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('are found in every folder, so that the check above means something', () => {
    expect(new Set(files.map(folderOf))).toEqual(new Set([...layers, 'top']));
    expect(files.flatMap(importsOf).length).toBeGreaterThan(100);
    expect(importsOf('main.ts')).toContain('control/examined-store.ts');
  });

  test('no file is longer than 400 lines', () => {
    const long = files.filter((file) => readFileSync(join(sources, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });
});
