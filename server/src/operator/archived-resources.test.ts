import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Bound } from '@vedette/lql/compile/tables';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { served } from '../telemetry/duckdb/query.sample.ts';
import { recordResources, type TestSnapshot } from '../telemetry/snapshot.sample.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { ArchiveReader } from './archive-reader.ts';
import { loadTelemetry, writeTelemetry } from './archived-telemetry.ts';
import { Progress } from './progress.ts';

let source: TestTelemetry;
let target: TestTelemetry;
beforeEach(async () => {
  source = await TestTelemetry.start();
  target = await TestTelemetry.start();
});
afterEach(async () => {
  await source.stop();
  await target.stop();
});

const noon = Date.parse('2026-03-01T12:00:00.000Z');
const kind = 'LW_CFG_AWS_S3';
const bucket = (key: string, config: string) => ({
  ...{ key, facts: { URN: key, FOLDER_IDS: '[1,  2]' }, config, tags: '{"a": 1.10}' },
});
const snapshot = (started: number, resources: TestSnapshot['resources'], account = 'A') => ({
  ...{ account, kind, cloudAccount: '1', started, ended: started + 1, resources },
});

const columns = (['URN', 'FOLDER_IDS', 'RESOURCE_CONFIG', 'RESOURCE_TAGS', 'QUERY_START_TIME'] as const).map(
  (name) => ({ name, type: name === 'QUERY_START_TIME' ? ('Timestamp' as const) : ('String' as const) }),
);
async function resourcesOf({ telemetry }: TestTelemetry, start: number, end: number, account = 'A') {
  const chunks = telemetry.query(account, (tables) => {
    const parameters: Bound[] = [];
    const rows = tables.rows({
      ...{ datasource: served(kind, columns), columns },
      ...{ bounds: { account, start, end }, bind: (value: Bound) => `$${parameters.push(value)}` },
    });
    return { sql: `select to_json(x)::varchar as "row" from (${rows}) x order by "URN"`, parameters };
  });
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return JSON.parse(`[${text}]`);
}

async function archiveTelemetry(): Promise<{
  counts: { batches: number; records: number; resources: number };
  text: string;
}> {
  const holdings = await source.telemetry.holdings(new Set(['A']));
  if (!holdings) throw new Error('there is no telemetry');
  const { batches, records, resources } = holdings;
  let text = '';
  for await (const chunk of writeTelemetry(holdings, new Progress())) text += chunk;
  return { counts: { batches, records, resources }, text };
}

async function load({ counts, text }: Awaited<ReturnType<typeof archiveTelemetry>>): Promise<void> {
  const { telemetry, store } = target;
  const replacement = await telemetry.replacement();
  const reader = new ArchiveReader(Readable.from([gzipSync(text)]));
  try {
    await loadTelemetry(reader, counts, replacement, new Progress());
  } catch (error) {
    await replacement.discard();
    throw error;
  }
  await telemetry.swapIn(replacement, (mark) => store.housekeeping((tx) => mark(tx)));
}

test('an archive restores current and past versions of resources, of the included accounts only', async () => {
  await recordResources(source.telemetry, snapshot(noon, [bucket('a', '{"x": 1}'), bucket('b', '[]')]));
  await recordResources(source.telemetry, snapshot(noon, [bucket('x', '{}')], 'B'));
  await recordResources(source.telemetry, snapshot(noon + 10, [bucket('a', '{"x": 2}')]));
  await recordResources(source.telemetry, snapshot(noon + 20, [bucket('a', '{"x": 2}')]));
  await recordResources(target.telemetry, snapshot(noon, [bucket('old', '{}')]));
  await load(await archiveTelemetry());
  for (const [start, end] of [
    [0, noon],
    [noon, noon + 1],
    [noon, noon + 10],
    [noon + 10, noon + 11],
    [noon, noon + 100],
  ] as const)
    expect(await resourcesOf(target, start, end)).toEqual(await resourcesOf(source, start, end));
  expect(await resourcesOf(target, noon, noon + 100)).toMatchObject([
    { URN: 'a', FOLDER_IDS: '[1,  2]', RESOURCE_TAGS: '{"a": 1.10}', QUERY_START_TIME: noon + 20 },
    { URN: 'b', RESOURCE_CONFIG: '[]', QUERY_START_TIME: noon },
  ]);
  expect(await resourcesOf(target, 0, noon + 100, 'B')).toEqual([]);
  // New snapshots continue from the restored state.
  const unchanged = { opened: 0, closed: 0 };
  expect(await recordResources(target.telemetry, snapshot(noon + 20, []))).toEqual(unchanged);
  expect(await recordResources(target.telemetry, snapshot(noon + 30, [bucket('a', '{"x": 2}')]))).toEqual(
    unchanged,
  );
  await target.restart();
  expect(await resourcesOf(target, noon + 30, noon + 31)).toMatchObject([
    { URN: 'a', QUERY_START_TIME: noon + 30 },
  ]);
});

test('a truncated or invalid archive changes nothing', async () => {
  await recordResources(source.telemetry, snapshot(noon, [bucket('a', '{"x": 1}')]));
  await recordResources(target.telemetry, snapshot(noon, [bucket('old', '{}')]));
  const complete = await archiveTelemetry();
  const loadCorrupted = (change: (text: string) => string) =>
    load({ ...complete, text: change(complete.text) });
  await expect(loadCorrupted(() => '')).rejects.toThrow('is truncated');
  await expect(loadCorrupted((text) => text.replace('"since"', '"unknown"'))).rejects.toThrow(
    'a telemetry line is invalid',
  );
  await expect(loadCorrupted((text) => text.replace('\\"x\\": 1}', '\\"x\\": 1'))).rejects.toThrow(
    'does not match',
  );
  expect(await resourcesOf(target, noon, noon + 1)).toMatchObject([{ URN: 'old' }]);
});
