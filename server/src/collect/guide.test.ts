import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { shippedPacks } from '../detection/packs/pack.ts';
import { describeCloud } from './descriptions.ts';
import { collectorsGuide } from './guide.ts';
import { clouds } from './inventory/cloud.ts';

const packs = shippedPacks();
const collected = (await Promise.all(clouds.map(describeCloud))).flat().map(({ kind }) => kind);
const resourceNames = (text: string) => text.match(/\bLW_CFG_(?:AWS|GCP|AZURE|K8S)_\w+/g) ?? [];

/** If one of these fails, run `npm run docs:collectors`. */
describe('what is generated from the declarations of collectors', () => {
  test('docs/collectors.md', async () => {
    const page = fileURLToPath(new URL('../../../docs/collectors.md', import.meta.url));
    await expect(await collectorsGuide()).toMatchFileSnapshot(page);
  });

  test('the datasources that GET /Datasources shows as filled', async () => {
    const file = fileURLToPath(new URL('datasources/collected.txt', packs));
    await expect(`${[...new Set(collected)].sort().join('\n')}\n`).toMatchFileSnapshot(file);
  });
});

describe('collected kinds', () => {
  test('are datasources of the catalogue, each of one cloud', () => {
    const listed = new Set(resourceNames(readFileSync(new URL('datasources/resources.tsv', packs), 'utf8')));
    expect(collected.filter((kind) => !listed.has(kind))).toEqual([]);
    expect(collected.filter((kind, at) => collected.indexOf(kind) !== at)).toEqual([]);
  });

  test('are all that built-in policies and queries read', () => {
    const files = readdirSync(packs, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.lql'),
    );
    const read = new Set(files.flatMap((path) => resourceNames(readFileSync(new URL(path, packs), 'utf8'))));
    expect(read.size).toBeGreaterThan(10);
    const unions = clouds.map((cloud) => `LW_CFG_${cloud.toUpperCase()}_ALL`);
    expect([...read].filter((name) => !collected.includes(name) && !unions.includes(name))).toEqual([]);
  });
});
