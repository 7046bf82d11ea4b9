import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import type { Resource } from '../../resource.ts';
import { digestOf, maxDigested, snapshotDigestOf } from '../../resource-digest.ts';
import { recordResources } from '../../snapshot.sample.ts';
import { hour, noon, SampleStore } from '../store.sample.ts';
import { attemptsTable, scopesTable } from './inventory-tables.ts';

let sample: SampleStore;
beforeEach(async () => {
  sample = await SampleStore.open(new ManualClock(noon));
});
afterEach(() => sample.close());

const scope = { kind: 'LW_CFG_AWS_EC2_INSTANCES', cloudAccount: '123' };
const resource = (key: string, config: object = {}): Resource => ({
  ...{ key, facts: { URN: key }, config: JSON.stringify(config), tags: undefined },
});
const record = (account: string, started: number, resources: readonly Resource[]) =>
  recordResources(sample.inventory, { ...scope, account, started, ended: started + 1, resources });
const finish = (account: string, started: number, resources: readonly Resource[]) =>
  sample.inventory.finishSnapshot(
    account,
    { ...scope, region: 'eu-west-1', started },
    {
      ...{ ended: started + 1, status: 'collected', reason: '', parts: 0 },
      digest: snapshotDigestOf(resources.map((one) => ({ key: one.key, digest: digestOf(one) }))),
    },
  );
const rows = (sql: string) =>
  sample.engine.use(async (connection) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
const attempts = () =>
  rows(`select started, status, resources, is_complete from ${attemptsTable} order by 1`);

test('a digest of what is stored ends the snapshot, and no version is written', async () => {
  const all = [resource('b', { x: 1 }), resource('a')];
  await record('A', noon, all);
  expect(await finish('A', noon + hour, all.toReversed())).toEqual({ opened: 0, closed: 0 });
  const attempt = { status: 'collected', resources: '2', is_complete: true };
  expect(await attempts()).toEqual([
    { started: String(noon), ...attempt },
    { started: String(noon + hour), ...attempt },
  ]);
  expect(await rows(`select started, tried_started, present from ${scopesTable}`)).toEqual([
    { started: String(noon + hour), tried_started: String(noon + hour), present: '2' },
  ]);
});

test('a digest of anything else changes nothing, also if it is of another account', async () => {
  const differs = { opened: 0, closed: 0, differs: 'changed' };
  await record('A', noon, [resource('a'), resource('b')]);
  for (const others of [
    [resource('a')],
    [resource('a'), resource('b', { x: 1 })],
    [resource('a'), resource('c')],
  ])
    expect(await finish('A', noon + hour, others)).toEqual(differs);
  expect(await finish('B', noon + hour, [resource('a'), resource('b')])).toEqual({
    ...differs,
    differs: 'new',
  });
  expect(await attempts()).toHaveLength(1);
});

test('a digest follows the changes of a scope', async () => {
  await record('A', noon, [resource('a'), resource('b')]);
  await record('A', noon + hour, [resource('b', { x: 1 })]);
  expect(await finish('A', noon + 2 * hour, [resource('a'), resource('b')])).toMatchObject({
    differs: 'changed',
  });
  expect(await finish('A', noon + 2 * hour, [resource('b', { x: 1 })])).toEqual({ opened: 0, closed: 0 });
});

test('a problem in between leaves the digest', async () => {
  await record('A', noon, [resource('a')]);
  await sample.inventory.finishSnapshot(
    'A',
    { ...scope, region: 'eu-west-1', started: noon + hour },
    { ended: noon + hour, status: 'denied', reason: 'no permission', parts: 0 },
  );
  expect(await finish('A', noon + 2 * hour, [resource('a')])).toEqual({ opened: 0, closed: 0 });
  expect((await attempts()).at(-1)).toMatchObject({ status: 'collected', resources: '1' });
});

test('a scope with too many resources has no digest', async () => {
  const all = Array.from({ length: maxDigested + 1 }, (_, at) => resource(`i-${at}`));
  await record('A', noon, all);
  expect(await finish('A', noon + hour, all)).toMatchObject({ differs: 'changed' });
});

test('a part that is refused with its end leaves the snapshots that end with it', async () => {
  const end = (region: string, resources: Resource[]) =>
    sample.inventory.finishSnapshot(
      'A',
      { ...scope, region, started: noon },
      {
        ...{ ended: noon, status: 'collected', reason: '', parts: 1 },
        part: { number: 1, resources, unread: [] },
      },
    );
  const broken = { ...resource('c'), config: '{' };
  const results = await Promise.allSettled([
    ...[end('1', [resource('a')]), end('2', [broken]), end('3', [resource('b'), resource('d')])],
  ]);
  expect(results).toMatchObject([
    { value: { opened: 1, closed: 0 } },
    { reason: { code: 'INVALID_INPUT', message: expect.stringContaining('not valid JSON') } },
    { value: { opened: 2, closed: 0 } },
  ]);
});

test('property: the inventory computes the digest of the collector', async () => {
  let started = noon;
  const keys = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 20,
    selector: (key) => key.replaceAll('\0', '').toWellFormed(),
  });
  await fc.assert(
    fc.asyncProperty(keys, fc.string({ unit: 'grapheme' }), async (names, value) => {
      const all = names.map((name) => resource(name.replaceAll('\0', '') || '0', { value }));
      started += hour;
      await record('A', started, all);
      started += hour;
      expect(await finish('A', started, all)).toEqual({ opened: 0, closed: 0 });
    }),
    { numRuns: 30 },
  );
});
