import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** Bottom up: a folder may import from itself and from the folders before it. */
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
  'reports',
  'delivery',
  'collect',
  'http',
  'families',
  'operator',
  'features',
  'modules',
  'simulate',
];

/** Layers of the DuckDB adapter. */
const duckdbLayers = [
  'engine',
  'sql',
  'segments',
  'inventory',
  'disk',
  'recovery',
  'read',
  'query',
  'write',
  'backup',
  'maintenance',
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

const definesModule = (file: string) =>
  /^export (?:async )?function \w+Module\(/m.test(readFileSync(join(sources, file), 'utf8'));

/** Import cycles: the strongly connected components, by Tarjan's algorithm. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const visit = (file: string): number => {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    path.push(file);
    for (const target of graph.get(file) ?? []) {
      const reached = order.has(target)
        ? path.includes(target)
          ? (order.get(target) as number)
          : Infinity
        : visit(target);
      lowest.set(file, Math.min(lowest.get(file) as number, reached));
    }
    const low = lowest.get(file) as number;
    if (low === order.get(file)) {
      const group = path.splice(path.indexOf(file));
      if (group.length > 1) cycles.push(group.sort());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

describe('imports', () => {
  test('only point to lower layers, and never from one feature to another', () => {
    const violations = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => {
          if (folderOf(file) === 'top') return false;
          const [from, to] = [layers.indexOf(folderOf(file)), layers.indexOf(folderOf(target))];
          const isOtherFeature = featureOf(file) !== featureOf(target);
          return to < 0 || to > from || (from === to && isOtherFeature);
        })
        .map((target) => `${file} imports ${target}`),
    );
    expect(violations).toEqual([]);
  });

  test('within the DuckDB adapter only point to lower layers, and other folders import only its entry point', () => {
    const folder = 'telemetry/duckdb/';
    const layerOf = (file: string) =>
      file.startsWith(folder) ? file.slice(folder.length).split('/')[0] : '';
    const isSample = (file: string) => file.endsWith('.sample.ts');
    const violations = files
      .filter((file) => !isSample(file) && file !== `${folder}duck-store.ts`)
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => {
            if (!target.startsWith(folder)) return false;
            const [from, to] = [layerOf(file) ?? '', layerOf(target) ?? ''].map((name) =>
              duckdbLayers.indexOf(name),
            ) as [number, number];
            return file.startsWith(folder) ? to < 0 || to > from : target !== `${folder}duck-store.ts`;
          })
          .map((target) => `${file} imports ${target}`),
      );
    expect(violations).toEqual([]);
    expect(new Set(files.map(layerOf).filter((name) => name && !name.endsWith('.ts')))).toEqual(
      new Set(duckdbLayers),
    );
  });

  test('have no cycles', () => {
    expect(cyclesIn(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
    expect(
      cyclesIn(new Map([...'abcd'].map((name, index, all) => [name, [all[(index + 1) % 3] as string]]))),
    ).toEqual([['a', 'b', 'c']]);
  });

  test('of the composition root are all modules and the servers; modules import only types from each other', () => {
    const root = importsOf('main.ts');
    const roots = new Set(['modules', 'http', 'operator', 'platform']);
    expect(root.filter((target) => !roots.has(folderOf(target)))).toEqual([]);
    const modules = files.filter((file) => file.startsWith('modules/') && definesModule(file));
    expect(modules.length).toBeGreaterThan(15);
    expect(modules.filter((file) => !root.includes(file))).toEqual([]);
    const values = modules.flatMap((file) =>
      [...readFileSync(join(sources, file), 'utf8').matchAll(/^import (?!type )[^;]*? from '\.\/([^']+)';/gm)]
        .filter(([, target]) => modules.includes(`modules/${target}`))
        .map(([, target]) => `${file} imports ${target}`),
    );
    expect(values).toEqual([]);
  });

  test('of the simulator are dataset declarations, and the server does not import it', () => {
    const isDeclaration = (target: string) => /^(?:simulate\/|telemetry\/datasets?[/.])/.test(target);
    const violations = files.flatMap((file) =>
      importsOf(file)
        .filter((target) =>
          folderOf(file) === 'simulate' ? !isDeclaration(target) : folderOf(target) === 'simulate',
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(violations).toEqual([]);
  });

  test('are found in every folder, so that the tests above are effective', () => {
    expect(new Set(files.map(folderOf))).toEqual(new Set([...layers, 'top']));
    expect(files.flatMap(importsOf).length).toBeGreaterThan(100);
    expect(importsOf('main.ts')).toContain('modules/control-store.ts');
  });

  test('no file is longer than 400 lines', () => {
    const long = files.filter((file) => readFileSync(join(sources, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });
});
