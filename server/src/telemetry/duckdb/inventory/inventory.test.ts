import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/clock.ts';
import { type Resource, type ResourceVersion, resourceFacts } from '../../resource.ts';
import { digestOf } from '../../resource-digest.ts';
import { recordResources, type TestSnapshot } from '../../snapshot.sample.ts';
import type { SnapshotEnd, SnapshotPart } from '../../snapshot.ts';
import { DuckBackupSource } from '../backup/backup-source.ts';
import { newStatementQueue } from '../engine/statements.ts';
import { type Row, rowsOf } from '../query.sample.ts';
import { hour, noon, SampleStore } from '../store.sample.ts';

let sample: SampleStore;
beforeEach(async () => {
  sample = await SampleStore.open(new ManualClock(noon));
});
afterEach(() => sample.close());

const instances = 'LW_CFG_AWS_EC2_INSTANCES';
const buckets = 'LW_CFG_AWS_S3';

const resource = (key: string, size: number | string): Resource => ({
  key,
  facts: { URN: key, RESOURCE_ID: `id of ${key}`, ACCOUNT_ID: '123' },
  config: `{"size": ${size}}`,
  tags: undefined,
});
const snapshot = (started: number, resources: readonly Resource[], rest: Partial<TestSnapshot> = {}) => ({
  ...{ account: 'A', kind: instances, cloudAccount: '123', started, ended: started + 5, resources },
  ...rest,
});
const record = (...args: Parameters<typeof snapshot>) => recordResources(sample.inventory, snapshot(...args));

const shown = [
  { name: 'ARN', type: 'String' },
  { name: 'RESOURCE_CONFIG', type: 'Json' },
] as const;
async function seen(start: number, end: number, { account = 'A', kind = instances } = {}): Promise<string[]> {
  const rows = await rowsOf(sample, kind, shown, { account, start, end });
  return rows.map(({ ARN, RESOURCE_CONFIG }) => `${ARN} ${RESOURCE_CONFIG}`).sort();
}
const versions = async () => {
  const counted = await sample.engine.use((connection) =>
    connection.runAndReadAll('select count(*) from inventory.versions'),
  );
  return Number(counted.getRows()[0]?.[0]);
};

describe('the inventory', () => {
  test('creates no file while it is empty', async () => {
    expect(sample.files()).toEqual([]);
    expect(await seen(0, noon)).toEqual([]);
    await sample.inventory.deleteAccount('A');
    await sample.inventory.deleteBefore(noon);
    expect(sample.files()).toEqual([]);
  });

  test('stores snapshots round robin by account, and is idle after the last', async () => {
    const order: string[] = [];
    const send = (account: string, region: string) =>
      record(noon, [resource('a', 1)], { account, region }).then(() => order.push(account));
    const all = [send('A', '1'), send('A', '2'), send('A', '3'), send('A', '4'), send('B', '1')];
    await Promise.all(all);
    expect(order.indexOf('B')).toBeLessThan(3);
    await sample.inventory.idle();
    expect(order).toHaveLength(5);
    expect(await versions()).toBe(5);
  });

  test('returns the newest version of each resource in the time range', async () => {
    expect(await record(noon, [resource('a', 1), resource('b', 1)])).toEqual({ opened: 2, closed: 0 });
    expect(await record(noon + hour, [resource('a', 2), resource('b', 1)])).toEqual({ opened: 1, closed: 1 });
    expect(await record(noon + 2 * hour, [resource('a', 2)])).toEqual({ opened: 0, closed: 1 });
    expect(await record(noon + 3 * hour, [resource('b', 3)])).toEqual({ opened: 1, closed: 1 });
    const [a1, b1, a2, b3] = ['a {"size": 1}', 'b {"size": 1}', 'a {"size": 2}', 'b {"size": 3}'];
    expect(await seen(0, noon)).toEqual([]);
    expect(await seen(0, noon + 1)).toEqual([a1, b1]);
    expect(await seen(noon + hour - 1, noon + hour)).toEqual([a1, b1]);
    expect(await seen(noon, noon + hour + 1)).toEqual([a2, b1]);
    expect(await seen(noon + hour, noon + 2 * hour)).toEqual([a2, b1]);
    expect(await seen(noon + 2 * hour, noon + 3 * hour)).toEqual([a2]);
    expect(await seen(noon, noon + 4 * hour)).toEqual([a2, b3]);
    expect(await seen(noon + 3 * hour, noon + 900 * hour)).toEqual([b3]);
    expect(await versions()).toBe(4);
  });

  test('stores a repeated snapshot once, and ignores older ones', async () => {
    const unchanged = { opened: 0, closed: 0 };
    await record(noon, [resource('a', 1)]);
    expect(await record(noon, [resource('a', 1)])).toEqual(unchanged);
    expect(await record(noon - 1, [])).toEqual(unchanged);
    expect(await record(noon + 1, [resource('a', 1), resource('a', 1)])).toEqual(unchanged);
    expect([await seen(noon, noon + 2), await versions()]).toEqual([['a {"size": 1}'], 1]);
  });

  test('keeps accounts, cloud accounts and kinds apart', async () => {
    await record(noon, [resource('a', 1)]);
    await record(noon, [resource('a', 2)], { account: 'B' });
    await record(noon, [resource('a', 3)], { cloudAccount: '456' });
    await record(noon, [resource('a', 4)], { kind: buckets });
    await record(noon, [resource('a', 5)], { kind: 'LW_CFG_GCP_COMPUTE_INSTANCE' });
    await record(noon + 1, []);
    const at = (kind: string, account = 'A') => seen(noon + 1, noon + 2, { kind, account });
    expect(await at(instances)).toEqual(['a {"size": 3}']);
    expect(await at(instances, 'B')).toEqual(['a {"size": 2}']);
    for (const provider of ['LW_CFG_AWS', 'LW_CFG_AWS_ALL'])
      expect(await at(provider)).toEqual(['a {"size": 3}', 'a {"size": 4}']);
    expect(await at('LW_CFG_GCP_ALL')).toEqual(['a {"size": 5}']);
    expect(await at('LW_CFG_AWS_EC2')).toEqual([]);
    expect(await at("x' or true --")).toEqual([]);
  });

  test('keeps regions apart: a snapshot of one says nothing about the others', async () => {
    await record(noon, [resource('a', 1)], { region: 'eu-west-1' });
    await record(noon, [resource('b', 1)], { region: 'us-east-1' });
    await record(noon + 1, [], { region: 'us-east-1' });
    expect(await seen(noon + 1, noon + 2)).toEqual(['a {"size": 1}']);
  });

  const id = { kind: instances, cloudAccount: '123', region: 'eu-west-1' };
  const part = (number: number, ...resources: Resource[]) => ({ number, resources, unread: [] });
  const end = (parts: number, rest: Partial<SnapshotEnd> = {}) => ({
    ...{ ended: noon + 5, status: 'collected' as const, reason: '', parts },
    ...rest,
  });

  test('shows a snapshot in parts as a whole, each part once, also after a restart', async () => {
    const first = { ...id, started: noon };
    await sample.inventory.stageResources('A', first, part(1, resource('a', 1)));
    await sample.inventory.stageResources('A', first, part(3, resource('c', 1)));
    await sample.reopen();
    expect(await sample.inventory.stagedParts('A', first)).toEqual([1, 3]);
    expect(await sample.inventory.stagedParts('B', first)).toEqual([]);
    await expect(sample.inventory.finishSnapshot('A', first, end(3))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: '2 of 3 parts were received: send the missing parts, then finish the snapshot.',
    });
    expect(await seen(noon, noon + 1)).toEqual([]);
    for (const again of [part(1, resource('a', 1)), part(2, resource('b', 1)), part(2, resource('b', 1))])
      await sample.inventory.stageResources('A', first, again);
    expect(await sample.inventory.finishSnapshot('A', first, end(3))).toEqual({ opened: 3, closed: 0 });
    expect(await sample.inventory.finishSnapshot('A', first, end(3))).toEqual({ opened: 0, closed: 0 });
    expect(await seen(noon, noon + 1)).toEqual(['a {"size": 1}', 'b {"size": 1}', 'c {"size": 1}']);
    expect(await sample.inventory.stagedParts('A', first)).toEqual([]);
  });

  test('keeps what a problem left unread, and notes why', async () => {
    await record(noon, [resource('a', 1), resource('b', 1), resource('c', 1)]);
    const denied = { status: 'denied' as const, reason: 'ec2:DescribeInstances is not allowed' };
    const refused = { ...id, started: noon + hour };
    expect(await sample.inventory.finishSnapshot('A', refused, end(0, denied))).toEqual({
      opened: 0,
      closed: 0,
    });
    expect(await seen(noon + hour, noon + 2 * hour)).toHaveLength(3);
    const partly = { ...id, started: noon + 2 * hour };
    const unread = [{ key: 'b', ...denied }];
    await sample.inventory.stageResources('A', partly, { number: 1, resources: [resource('a', 2)], unread });
    expect(await sample.inventory.finishSnapshot('A', partly, end(1, denied))).toEqual({
      opened: 1,
      closed: 2,
    });
    expect(await seen(noon + 2 * hour, noon + 3 * hour)).toEqual(['a {"size": 2}', 'b {"size": 1}']);
    const scopes = await sample.engine.use((connection) =>
      connection.runAndReadAll(
        'select started, tried_started, status, reason, resources, unread from inventory.scopes',
      ),
    );
    expect(scopes.getRows()).toEqual([
      [
        BigInt(noon + 2 * hour),
        BigInt(noon + 2 * hour),
        ...Object.values(denied),
        1n,
        JSON.stringify(unread),
      ],
    ]);
  });

  test('takes resources by digest, and says which must be sent as a whole', async () => {
    const [a, b, c] = [resource('a', 1), resource('b', 1), resource('c', 1)] as const;
    await record(noon, [a, b]);
    const by = (one: Resource, key = one.key) => ({ key, digest: digestOf(one) });
    const next = { ...id, started: noon + hour };
    const known = [by(a), by(resource('b', 2)), by(c), by(a, 'x')];
    const stage = (number: number, rest: Partial<SnapshotPart>) =>
      sample.inventory.stageResources('A', next, { number, resources: [], unread: [], ...rest });
    for (let repeat = 0; repeat < 2; repeat++) expect(await stage(1, { known })).toEqual(['b', 'c', 'x']);
    expect(await sample.inventory.stagedParts('A', next)).toEqual([1]);
    // What no account of this one has stored is not taken from another.
    const foreign = { number: 1, resources: [], unread: [], known: [by(a)] };
    expect(await sample.inventory.stageResources('B', next, foreign)).toEqual(['a']);
    expect(await sample.inventory.stagedParts('B', next)).toEqual([]);
    expect(await stage(2, { resources: [resource('b', 2), c] })).toEqual([]);
    expect(await sample.inventory.finishSnapshot('A', next, end(2))).toEqual({ opened: 2, closed: 1 });
    expect(await seen(noon + hour, noon + 2 * hour)).toEqual([
      'a {"size": 1}',
      'b {"size": 2}',
      'c {"size": 1}',
    ]);
  });

  test('refuses a snapshot whose unchanged resources another one has closed', async () => {
    await record(noon, [resource('a', 1)]);
    const late = { ...id, started: noon + 9 };
    await sample.inventory.stageResources('A', late, part(1, resource('a', 1)));
    await record(noon + 8, []);
    await expect(sample.inventory.finishSnapshot('A', late, end(1))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  test('upgrades a file whose snapshots contained all regions', async () => {
    const facts = { URN: 'a', RESOURCE_REGION: 'eu-west-1' };
    await record(noon, [{ ...resource('a', 1), facts }]);
    await sample.engine.use(async (connection) => {
      await connection.run(
        'create table inventory.old as select account, kind, cloud_account, started, ended from inventory.scopes',
      );
      for (const table of ['scopes', 'attempts', 'staged'])
        await connection.run(`drop table inventory.${table}`);
      await connection.run('alter table inventory.old rename to scopes');
      await connection.run('alter table inventory.versions drop column region');
    });
    await sample.reopen();
    expect(await seen(noon, noon + 1)).toEqual(['a {"size": 1}']);
    expect(await record(noon, [])).toEqual({ opened: 0, closed: 0 });
    expect(await record(noon + 1, [])).toEqual({ opened: 0, closed: 1 });
  });

  test('returns every column of its datasources', async () => {
    const facts = Object.entries(resourceFacts).map(([name, type]) => [
      name,
      type === 'Json' ? `["${name}", 1.10]` : type === 'Number' ? '9223372036854775807' : `the ${name}`,
    ]);
    const full = { ...resource('k', 1), facts: Object.fromEntries(facts), tags: '{"a":"b"}' };
    await record(noon, [full]);
    const names = ['ARN', 'RESOURCE_KEY', 'RESOURCE_CONFIG', 'RESOURCE_TAGS', ...Object.keys(resourceFacts)];
    const times = ['BATCH_START_TIME', 'BATCH_END_TIME', 'QUERY_START_TIME', 'QUERY_END_TIME'];
    const columns = [
      ...names.map((name) => ({ name, type: resourceFacts[name as keyof typeof resourceFacts] ?? 'String' })),
      ...times.map((name) => ({ name, type: 'Timestamp' as const })),
    ];
    const bounds = { account: 'A', start: noon, end: noon + hour };
    const expected: Row = {
      ...Object.fromEntries(facts),
      ...{ ARN: 'the URN', RESOURCE_KEY: 'the URN', RESOURCE_CONFIG: full.config, RESOURCE_TAGS: full.tags },
      PROJECT_NUMBER: 9223372036854775807n,
    };
    const [batch, later] = [BigInt(noon), BigInt(noon + 60)];
    const seenAt = (start: bigint) =>
      Object.fromEntries(times.map((name, at) => [name, start + (at % 2 ? 5n : 0n)]));
    expect(await rowsOf(sample, instances, columns, bounds)).toEqual([{ ...expected, ...seenAt(batch) }]);
    // An unchanged resource was seen by the last snapshot, a removed one by the last that contained it.
    await record(noon + 60, [full]);
    expect(await rowsOf(sample, instances, columns, bounds)).toEqual([{ ...expected, ...seenAt(later) }]);
    await record(noon + 120, []);
    expect(await rowsOf(sample, instances, columns, bounds)).toEqual([{ ...expected, ...seenAt(later) }]);
    const organization = [{ name: 'ORGANIZATION_ID', type: 'Number' as const }];
    expect(await rowsOf(sample, instances, organization, bounds)).toEqual([{ ORGANIZATION_ID: null }]);
  });

  test('rolls back a snapshot that is not valid JSON', async () => {
    await record(noon, [resource('a', 1)]);
    const wrong = record(noon + 1, [resource('b', 1), resource('c', '}')]);
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await record(noon + 1, [resource('a', 1)])).toEqual({ opened: 0, closed: 0 });
    expect([await seen(noon, noon + 2), await versions()]).toEqual([['a {"size": 1}'], 1]);
  });

  test('is kept across a restart', async () => {
    await record(noon, [resource('a', 1)]);
    await sample.reopen();
    expect(await seen(noon, noon + 1)).toEqual(['a {"size": 1}']);
    await record(noon + 1, [resource('a', 2)]);
    expect(await seen(noon + 1, noon + 2)).toEqual(['a {"size": 2}']);
  });

  test('is reattached after the engine was reopened', async () => {
    await record(noon, [resource('a', 1)]);
    await sample.engine.reopen();
    await sample.recovery.recover();
    expect(await seen(noon, noon + 1)).toEqual(['a {"size": 1}']);
    expect(await record(noon + 1, [])).toEqual({ opened: 0, closed: 1 });
  });

  test('fails to open with its file name if it is damaged, instead of appearing empty', async () => {
    await record(noon, [resource('a', 1)]);
    await sample.inventory.checkpoint();
    sample.engine.close();
    const file = join(sample.days, 'inventory.duckdb');
    const intact = readFileSync(file);
    truncateSync(file, 1_000);
    await expect(sample.reopen()).rejects.toMatchObject({
      name: 'DamagedDaysError',
      message: expect.stringContaining(file),
    });
    writeFileSync(file, intact);
    await sample.reopen();
    expect(await seen(noon, noon + 1)).toEqual(['a {"size": 1}']);
  });

  test('removes an account, and versions that ended before an instant', async () => {
    await record(noon, [resource('a', 1), resource('b', 1)]);
    await record(noon, [resource('a', 1)], { account: 'B' });
    await record(noon + hour, [resource('b', 1)]);
    await sample.inventory.deleteBefore(noon + hour - 1);
    expect(await versions()).toBe(3);
    await sample.inventory.deleteBefore(noon + hour);
    expect(await seen(0, noon + 2 * hour)).toEqual(['b {"size": 1}']);
    await sample.inventory.deleteAccount('A');
    expect(await seen(0, noon + 2 * hour)).toEqual([]);
    expect(await seen(0, noon + 2 * hour, { account: 'B' })).toEqual(['a {"size": 1}']);
    // The last snapshot is forgotten too.
    expect(await record(noon + 1, [resource('a', 1)])).toEqual({ opened: 1, closed: 0 });
  });

  test('is read for a backup as of one instant, despite concurrent snapshots', async () => {
    const { engine, segments, inventory } = sample;
    await record(noon, [resource('a', 1), resource('b', 1)]);
    await record(noon, [resource('x', 1)], { account: 'B' });
    await record(noon + hour, [resource('a', 2), resource('b', 1)]);
    const source = await DuckBackupSource.now(
      { engine, segments, inventory, statements: newStatementQueue() },
      new Set('A'),
    );
    await record(noon + 2 * hour, [resource('c', 1)]);
    const resources: ResourceVersion[] = [];
    for await (const one of source.read()) if ('resource' in one) resources.push(one.resource);
    const versionsRead = resources.map(({ key, config, since, until }) => [key, config, since, until]);
    expect(source.resources).toBe(3);
    expect(versionsRead).toEqual([
      ['a', '{"size": 1}', noon, noon + hour],
      ['b', '{"size": 1}', noon, undefined],
      ['a', '{"size": 2}', noon + hour, undefined],
    ]);
  });

  test('matches at any instant the last snapshot before it', async () => {
    const state = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.nat(2), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(fc.array(state, { maxLength: 6 }), async (states) => {
        await sample.inventory.deleteAccount('A');
        for (const [at, present] of states.entries())
          await record(
            noon + at * hour,
            Object.entries(present).map(([key, size]) => resource(key, size)),
          );
        for (const [at, present] of states.entries()) {
          const expected = Object.entries(present).map(([key, size]) => `${key} {"size": ${size}}`);
          expect(await seen(noon + at * hour, noon + at * hour + 1)).toEqual(expected.sort());
        }
        const newest = new Map(states.flatMap((present) => Object.entries(present)));
        const all = [...newest].map(([key, size]) => `${key} {"size": ${size}}`).sort();
        expect(await seen(noon, noon + 10 * hour)).toEqual(all);
      }),
      { numRuns: Number(process.env.VEDETTE_FUZZ ?? 15) },
    );
  });
});
