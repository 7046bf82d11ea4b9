import { analyse } from '@vedette/lql/analyse';
import type { ColumnType } from '@vedette/lql/catalogue/catalogue';
import { compile } from '@vedette/lql/compile/compile';
import { duckdb } from '@vedette/lql/compile/duckdb/duckdb';
import type { Bounds } from '@vedette/lql/compile/tables';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shippedPacks } from '../detection/packs/pack.ts';
import { cloudTrailRawEvents as cloudTrail } from '../telemetry/datasets/CloudTrailRawEvents.ts';
import { datasets } from '../telemetry/datasets.ts';
import { MirroredStore } from '../telemetry/duckdb/mirrored-store.sample.ts';
import { hour, noon } from '../telemetry/duckdb/store.sample.ts';
import { resourceFacts } from '../telemetry/resource.ts';
import { recordResources } from '../telemetry/snapshot.sample.ts';
import { ManualClock } from '../testing/clock.ts';
import { DatasourceCatalogue } from './catalogue.ts';

const catalogue = new DatasourceCatalogue({ datasets, packs: shippedPacks() });
const mirror = new MirroredStore(new ManualClock(noon));
const names = datasets.flatMap(({ datasources }) => datasources.map(({ name }) => name));
const kinds = [
  'LW_CFG_AWS_S3',
  'LW_CFG_AWS_IAM_ROLES',
  'LW_CFG_AZURE_COMPUTE_VIRTUALMACHINES',
  'LW_CFG_GCP_COMPUTE_INSTANCE',
  'LW_CFG_OCI_BV_VOLUME',
  'LW_CFG_K8S_CLUSTER_CLUSTERROLE',
];

beforeAll(async () => {
  await mirror.open();
  await mirror.fill();
  const facts = Object.entries(resourceFacts).map(([name, type]) => [
    name,
    type === 'Json'
      ? '["x"]'
      : type === 'Number' || name === 'ORGANIZATION_ID'
        ? '9007199254740993'
        : `of ${name}`,
  ]);
  for (const kind of kinds)
    for (const account of ['A', 'B'])
      await recordResources(mirror.sample.inventory, {
        ...{ account, kind, cloudAccount: '1', started: noon, ended: noon + 1 },
        resources: [
          {
            ...{ key: kind, facts: Object.fromEntries(facts), tags: '{"t":1.10}' },
            config: `{"of": "${account}",  "n": 9007199254740993}`,
          },
        ],
      });
});
afterAll(() => mirror.sample.close());

const always = (account = 'A') => ({ account, start: noon - 10_000 * hour, end: noon + 10_000 * hour });

/** The rows of a query as JSON. */
async function run(queryText: string, bounds: Bounds = always()): Promise<string[]> {
  const { query, problems } = analyse(queryText, catalogue);
  if (!query) throw new Error(`${queryText}: ${problems.map(({ message }) => message)}`);
  const chunks: Uint8Array[] = [];
  await mirror.sample.querying.run(
    bounds.account,
    (tables) => {
      const { sql, parameters } = compile(query, { dialect: duckdb, tables, bounds, now: noon });
      return { sql: `select "row" || chr(30) as "row" from (${sql})`, parameters };
    },
    (chunk) => void chunks.push(chunk),
    new AbortController().signal,
  );
  const rows = Buffer.concat(chunks).toString('utf8').split('\x1e');
  return rows
    .map((row) => row.replace(/^,/, ''))
    .filter(Boolean)
    .sort();
}

const all = (name: string) =>
  `{ source { ${name} } return { ${catalogue
    .find(name)
    ?.columns.map((column) => column.name)
    .join(', ')} } }`;

function jsonOf(value: unknown, type: ColumnType): string {
  if (value === null) return 'null';
  if (type === 'Timestamp') return JSON.stringify(new Date(Number(value)).toISOString());
  return type === 'String' ? JSON.stringify(value) : String(value);
}

describe('queries', () => {
  test.each(names)('read every column of %s', async (name) => {
    for (const account of ['A', 'B']) {
      const { columns, rows } = mirror.expected(name, always(account));
      const expected = rows.map(
        (row) =>
          `{${columns.map((column) => `"${column.name}":${jsonOf(row[column.name], column.type)}`).join(',')}}`,
      );
      expect(await run(all(name), always(account))).toEqual(expected.sort());
    }
  });

  test.each(kinds)('read every column of %s', async (name) => {
    const [row, ...others] = (await run(all(name))).map((json) => JSON.parse(json));
    expect(others).toEqual([]);
    expect(row.RESOURCE_CONFIG.of).toBe('A');
    expect(Object.entries(row).filter(([, value]) => value === null)).toEqual([]);
    expect(await run(all(name), { account: 'A', start: 0, end: noon })).toEqual([]);
    expect(await run(all(name), always('C'))).toEqual([]);
  });

  test('read resources of all kinds of a provider, and by deprecated names', async () => {
    const urn = (name: string) =>
      run(`{ source { ${name} } return { RESOURCE_CONFIG:n as N, RESOURCE_TAGS } }`);
    const row = '{"N":9007199254740993,"RESOURCE_TAGS":{"t":1.10}}';
    for (const name of ['LW_CFG_AWS', 'LW_CFG_AWS_ALL']) expect(await urn(name)).toEqual([row, row]);
    expect(await urn('LW_CFG_AWS_IAM_LIST_ROLES')).toEqual([row]);
    expect(await urn('LW_CFG_GCP_ALL')).toEqual([row]);
    expect(await urn('LW_CFG_AWS_EC2_INSTANCES')).toEqual([]);
    expect(await run(all('LW_CFG_AWS_IAM_LIST_ROLES'))).toHaveLength(1);
  });

  test('read records that arrived since a batch, whatever their timestamps, and all records of joined datasources', async () => {
    const { sample, stored } = mirror;
    const path = 'CloudTrailRawEvents';
    const [record] = (stored.get(path) ?? []).map((entry) => entry.record);
    const event = (id: string, time: number) => ({
      ...record,
      eventName: id,
      eventTime: new Date(time).toISOString(),
    });
    const before = sample.segments.lastSequence;
    expect(sample.segments.lastBatch('A', path)).toBeLessThanOrEqual(before);
    await mirror.store(cloudTrail, 'A', [event('late', noon - 5_000 * hour), event('now', noon)]);
    await mirror.store(cloudTrail, 'B', [event('foreign', noon)]);
    const after = sample.segments.lastBatch('A', path);
    expect(after).toBe(before + 1);
    const since = (from: number, upTo: number) =>
      run('{ source { CloudTrailRawEvents } return { EVENT_NAME } }', {
        ...{ account: 'A', start: noon, end: noon + 1, arrived: { after: from, upTo } },
      });
    expect(await since(before, after)).toEqual(['{"EVENT_NAME":"late"}', '{"EVENT_NAME":"now"}']);
    expect(await since(after, after + 1)).toEqual([]);
    expect(await since(before, before)).toEqual([]);
    const withSubquery = `{ source { CloudTrailRawEvents } filter { EVENT_NAME in
      { source { CloudTrailRawEvents } filter { EVENT_NAME = 'late' } return { EVENT_NAME } } } return { EVENT_NAME } }`;
    const arrived = { after: before, upTo: after };
    expect(await run(withSubquery, { ...always(), arrived })).toEqual(['{"EVENT_NAME":"late"}']);
    expect(await run(withSubquery, { account: 'A', start: noon, end: noon + 1, arrived })).toEqual([]);
  });

  test('return no rows of datasources without data', async () => {
    for (const name of ['LW_CE_IDENTITIES', 'LW_APA_ATTACK_PATHS']) expect(await run(all(name))).toEqual([]);
  });

  test('join datasources of the same account only', async () => {
    const mid = (name: string, account: string) =>
      mirror.expected(name, always(account), ['MID']).rows.map(({ MID }) => String(MID));
    for (const account of ['A', 'B']) {
      const lastReported = new Map<string, number>();
      const columns = ['MID', 'RECORD_CREATED_TIME'];
      for (const { MID, RECORD_CREATED_TIME } of mirror.expected('LW_HE_MACHINES', always(account), columns)
        .rows)
        lastReported.set(
          String(MID),
          Math.max(lastReported.get(String(MID)) ?? 0, Number(RECORD_CREATED_TIME)),
        );
      const machines = [...lastReported.keys()];
      const files = mid('LW_HE_FILES', account);
      // A host is reported repeatedly: a file joins its last report.
      const joined = files.map((file) => {
        const last = lastReported.get(file);
        return `{"F":${file},"T":${last === undefined ? null : JSON.stringify(new Date(last).toISOString())}}`;
      });
      const queryText =
        '{ source { LW_HE_FILES f with LW_HE_MACHINES m } return { f.MID as F, m.RECORD_CREATED_TIME as T } }';
      expect(await run(queryText, always(account))).toEqual(joined.sort());
      const membership = `{ source { LW_HE_FILES } filter { MID in { source { LW_HE_MACHINES } return { MID } } } return { MID } }`;
      const matching = files.filter((file) => machines.includes(file)).map((file) => `{"MID":${file}}`);
      expect(await run(membership, always(account))).toEqual(matching.sort());
    }
  });
});
