import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Bound } from '@vedette/lql/compile/tables';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { served } from '../telemetry/duckdb/query.sample.ts';
import type { ResourceSnapshot } from '../telemetry/resource.ts';
import { TestTelemetry } from '../testing/telemetry.ts';
import { ArchiveReader } from './archive-reader.ts';
import { Progress } from './progress.ts';
import { loadTelemetry, telemetryPart } from './telemetry-part.ts';

let here: TestTelemetry;
let there: TestTelemetry;
beforeEach(async () => {
  here = await TestTelemetry.start();
  there = await TestTelemetry.start();
});
afterEach(async () => {
  await here.stop();
  await there.stop();
});

const noon = Date.parse('2026-03-01T12:00:00.000Z');
const kind = 'LW_CFG_AWS_S3';
const bucket = (key: string, config: string) => ({
  ...{ key, facts: { URN: key, FOLDER_IDS: '[1,  2]' }, config, tags: '{"a": 1.10}' },
});
const snapshot = (started: number, resources: ResourceSnapshot['resources'], account = 'A') => ({
  ...{ account, kind, cloudAccount: '1', started, ended: started + 1, resources },
});

const columns = (['URN', 'FOLDER_IDS', 'RESOURCE_CONFIG', 'RESOURCE_TAGS', 'QUERY_START_TIME'] as const).map(
  (name) => ({ name, type: name === 'QUERY_START_TIME' ? ('Timestamp' as const) : ('String' as const) }),
);
async function seen({ telemetry }: TestTelemetry, start: number, end: number, account = 'A') {
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

async function part(): Promise<{
  counts: { batches: number; records: number; resources: number };
  text: string;
}> {
  const holdings = await here.telemetry.holdings(new Set(['A']));
  if (!holdings) throw new Error('there is nothing');
  const { batches, records, resources } = holdings;
  let text = '';
  for await (const chunk of telemetryPart(holdings, new Progress())) text += chunk;
  return { counts: { batches, records, resources }, text };
}

async function load({ counts, text }: Awaited<ReturnType<typeof part>>): Promise<void> {
  const { telemetry, store } = there;
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
  await here.telemetry.recordResources(snapshot(noon, [bucket('a', '{"x": 1}'), bucket('b', '[]')]));
  await here.telemetry.recordResources(snapshot(noon, [bucket('x', '{}')], 'B'));
  await here.telemetry.recordResources(snapshot(noon + 10, [bucket('a', '{"x": 2}')]));
  await here.telemetry.recordResources(snapshot(noon + 20, [bucket('a', '{"x": 2}')]));
  await there.telemetry.recordResources(snapshot(noon, [bucket('old', '{}')]));
  await load(await part());
  for (const [start, end] of [
    [0, noon],
    [noon, noon + 1],
    [noon, noon + 10],
    [noon + 10, noon + 11],
    [noon, noon + 100],
  ] as const)
    expect(await seen(there, start, end)).toEqual(await seen(here, start, end));
  expect(await seen(there, noon, noon + 100)).toMatchObject([
    { URN: 'a', FOLDER_IDS: '[1,  2]', RESOURCE_TAGS: '{"a": 1.10}', QUERY_START_TIME: noon + 20 },
    { URN: 'b', RESOURCE_CONFIG: '[]', QUERY_START_TIME: noon },
  ]);
  expect(await seen(there, 0, noon + 100, 'B')).toEqual([]);
  // New snapshots continue from the restored state.
  const nothing = { opened: 0, closed: 0 };
  expect(await there.telemetry.recordResources(snapshot(noon + 20, []))).toEqual(nothing);
  expect(await there.telemetry.recordResources(snapshot(noon + 30, [bucket('a', '{"x": 2}')]))).toEqual(
    nothing,
  );
  await there.restart();
  expect(await seen(there, noon + 30, noon + 31)).toMatchObject([{ URN: 'a', QUERY_START_TIME: noon + 30 }]);
});

test('a truncated or invalid archive changes nothing', async () => {
  await here.telemetry.recordResources(snapshot(noon, [bucket('a', '{"x": 1}')]));
  await there.telemetry.recordResources(snapshot(noon, [bucket('old', '{}')]));
  const whole = await part();
  const spoilt = (change: (text: string) => string) => load({ ...whole, text: change(whole.text) });
  await expect(spoilt(() => '')).rejects.toThrow('is truncated');
  await expect(spoilt((text) => text.replace('"since"', '"sins"'))).rejects.toThrow(
    'a telemetry line is invalid',
  );
  await expect(spoilt((text) => text.replace('\\"x\\": 1}', '\\"x\\": 1'))).rejects.toThrow('does not match');
  expect(await seen(there, noon, noon + 1)).toMatchObject([{ URN: 'old' }]);
});
