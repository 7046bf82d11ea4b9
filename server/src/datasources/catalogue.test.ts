import { mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Column } from '@vedette/lql/catalogue/catalogue';
import { describe, expect, test } from 'vitest';
import { shippedPacks } from '../detection/packs/pack.ts';
import { datasets } from '../telemetry/datasets.ts';
import type { ServedDatasource } from '../telemetry/served-datasource.ts';
import { DatasourceCatalogue } from './catalogue.ts';

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
const names = [...catalogue.names()];
const find = (name: string) => catalogue.find(name) as ServedDatasource;
const all = names.map(find);
const column = ({ columns }: ServedDatasource, name: string): Column | undefined =>
  columns.find((candidate) => candidate.name === name);

describe('the catalogue', () => {
  test('finds every listed name, each once', () => {
    expect(all.map(({ name }) => name)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(2_300);
  });

  test('has every family of names', () => {
    const families = ['LW_CFG_AWS', 'LW_CFG_AZURE', 'LW_CFG_GCP', 'LW_CFG_OCI', 'LW_CFG_K8S_CLUSTER'];
    const count = (family: string) => names.filter((name) => name.startsWith(`${family}_`)).length;
    expect(Object.fromEntries(families.map((family) => [family, count(family)]))).toEqual({
      LW_CFG_AWS: 1_398,
      LW_CFG_AZURE: 489,
      LW_CFG_GCP: 409,
      LW_CFG_OCI: 38,
      LW_CFG_K8S_CLUSTER: 26,
    });
    expect(['LW_CE', 'LW_APA'].map(count)).toEqual([4, 2]);
    expect(names).toEqual(expect.arrayContaining(['CloudTrailRawEvents', 'LW_ACT_K8S_AUDIT', 'LW_HE_FILES']));
  });

  test('finds no other names', () => {
    for (const name of [
      '',
      'X',
      'constructor',
      '__proto__',
      'LW_CFG_',
      'LW_CFG_AWS_',
      'name',
      'lw_cfg_aws_s3',
    ])
      expect(catalogue.find(name), name).toBeUndefined();
    expect(catalogue.find('LW_CFG_AWS_S3\tS3')).toBeUndefined();
    expect(catalogue.find('LW_CFG_AWS_S3\tS3\tlist-buckets\nLW_CFG_AWS_S3CONTROL')).toBeUndefined();
  });

  test('describes every datasource and every column, with a type and a unique name', () => {
    const sentence = /^[A-Z0-9].*\.$/;
    for (const { name, description, columns } of all) {
      expect(description, name).toMatch(sentence);
      expect(columns.length, name).toBeGreaterThan(3);
      expect(new Set(columns.map((one) => one.name)).size, name).toBe(columns.length);
    }
    for (const columns of new Set(all.map((datasource) => datasource.columns))) {
      for (const { name, type, description } of columns) {
        expect(['String', 'Number', 'Timestamp', 'Json'], name).toContain(type);
        expect(description, name).toMatch(sentence);
      }
    }
  });

  test('relates datasources in both directions by existing columns', () => {
    for (const from of all) {
      const targets = from.relationships.map(({ to }) => to);
      // Several between the same two would need names.
      expect(new Set(targets).size, from.name).toBe(targets.length);
      for (const { to, on, description } of from.relationships) {
        const label = `${from.name} with ${to}`;
        const other = find(to);
        expect(description, label).toMatch(/^[A-Z0-9].*\.$/);
        expect(on.length, label).toBeGreaterThan(0);
        for (const keys of on) {
          for (const [datasource, key] of [[from, keys.from] as const, [other, keys.to] as const]) {
            const type = column(datasource, key.column)?.type;
            expect(type, `${label}: ${datasource.name}.${key.column}`).toBeDefined();
            if (key.keys) expect(type, label).toBe('Json');
          }
        }
        const back = other.relationships.filter((relationship) => relationship.to === from.name);
        expect(back.map((relationship) => relationship.on)).toEqual([
          on.map((keys) => ({ from: keys.to, to: keys.from })),
        ]);
      }
    }
  });

  test('has the origin of each datasource', () => {
    const origins = (from: string) =>
      all.filter(({ origin }) => origin.from === from).map(({ name }) => name);
    expect(origins('nothing')).toEqual(names.filter((name) => /^LW_(?:CE|APA)_/.test(name)));
    expect(origins('resources')).toEqual(names.filter((name) => name.startsWith('LW_CFG_')));
    expect(origins('collections')).toEqual(['LW_COLLECTION_SCOPES']);
    expect(origins('telemetry').length).toBe(names.length - 7 - origins('resources').length);
    for (const name of origins('nothing'))
      expect(find(name).description).toMatch(/Nothing produces rows of it yet\.$/);
  });
});

describe('creating a catalogue', () => {
  test('reads no file and builds no datasource before the first lookup', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-catalogue-'));
    let reads = 0;
    const counted = datasets.map((dataset) => ({
      ...dataset,
      get datasources() {
        reads++;
        return dataset.datasources;
      },
    }));
    const packs = pathToFileURL(`${directory}/`);
    const fresh = new DatasourceCatalogue({ datasets: counted, packs });
    expect(reads).toBe(0);
    expect(fresh.find('LW_HE_FILES')?.name).toBe('LW_HE_FILES');
    expect(reads).toBeGreaterThan(0);
    expect(() => fresh.find('LW_CFG_AWS_S3')).toThrow('resources.tsv');
    await cp(new URL('datasources/', shippedPacks()), join(directory, 'datasources'), { recursive: true });
    expect(fresh.find('LW_CFG_AWS_S3')?.name).toBe('LW_CFG_AWS_S3');
    rmSync(directory, { recursive: true });
    expect([...fresh.names()]).toEqual(names);
  });
});
