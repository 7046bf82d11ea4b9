import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { S3 } from '../../outbound/aws/s3.ts';
import { createLog } from '../../platform/log.ts';
import { dnss } from '../../telemetry/datasets/DNSs.ts';
import { users } from '../../telemetry/datasets/Users.ts';
import { bucketData, TestBucket } from '../../testing/bucket.ts';
import { addChannel, addRule, changeRow, filtersOf } from '../../testing/export-rules.ts';
import { TestTelemetry } from '../../testing/telemetry.ts';
import { transportsWith } from '../../testing/transports.ts';
import { hold, lift } from '../hold.ts';
import { Exporter } from './exporter.ts';
import { holderOf } from './layout.ts';

const holder = holderOf('here', '');
const hour = 3_600_000;
const day = 24 * hour;

let place: TestTelemetry;
let bucket: TestBucket;
let begin: number;
beforeEach(async () => {
  [place, bucket] = [await TestTelemetry.start(), await TestBucket.start()];
  begin = place.clock.now();
  await place.store.housekeeping(async (tx) => {
    await tx.insertInto('organizations').values({ id: 'O', name: 'acme', created_at: begin }).execute();
    for (const id of ['A', 'B'])
      await tx
        .insertInto('accounts')
        .values({ id, organization_id: 'O', name: `acme-${id.toLowerCase()}`, created_at: begin })
        .execute();
  });
});
afterEach(async () => {
  await bucket.close();
  await place.stop();
});

/** An exporter as in a newly started process. */
const exporter = (datasets = [dnss.path, users.path]) =>
  new Exporter({
    ...{ store: place.store, telemetry: place.telemetry, clock: place.clock, log: createLog('silent') },
    ...{
      place: 'local',
      node: 'here',
      datasets,
      s3: new S3(transportsWith(bucket.outbound, place.clock).aws),
    },
  });

const look = (fqdn: string, rest: object = {}) => ({
  ...{ createdTime: new Date(begin).toISOString(), mid: 1, fqdn, hostIpAddr: '192.0.2.1', ttl: 60 },
  ...{ dnsServerIp: '192.0.2.53', ...rest },
});

const rows = () =>
  place.store.read
    .selectFrom('exports')
    .selectAll()
    .orderBy('owner_id')
    .orderBy('hour')
    .orderBy('dataset')
    .execute();

const states = async () => {
  const counts: Record<string, number> = {};
  for (const { state } of await rows()) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

const folder = (kind: string, dataset: string, time: string, account = 'acme-a') =>
  `some/where/vedette/v1/${kind}/account=${account}/dataset=${dataset}/date=2026-03-01/hour=${time}`;
const dnsData = (time: string, account?: string) => folder('data', 'Activities.DNSs', time, account);
const dnsManifest = (time: string, account?: string) =>
  `${folder('manifests', 'Activities.DNSs', time, account)}/${holder}.json`;
const namesIn = (key: string) => bucket.lines(key).map((line) => JSON.parse(line).fqdn);
const manifestAt = (key: string) => JSON.parse(String(bucket.objects.get(key)));

describe('the export of an hour', () => {
  beforeEach(async () => {
    await addChannel(place, 'C', 'A');
    await addRule(place, 'R', 'A', ['C']);
  });

  test('waits while deliveries are held, and continues when they are released', async () => {
    await place.take(dnss, 'A', [look('first')]);
    const exporting = exporter();
    await exporting.run();
    await place.store.housekeeping((tx) => hold(tx, place.clock.now()));
    place.clock.advance(2 * hour);
    await exporting.run();
    expect([bucket.objects.size, (await states()).written]).toEqual([0, undefined]);
    await place.store.housekeeping(lift);
    await exporting.run();
    expect(namesIn(`${dnsData('12')}/${holder}-00000.ndjson.gz`)).toEqual(['first']);
  });

  test('is written after the hour: gzipped JSON lines, and a manifest per dataset', async () => {
    await place.take(dnss, 'A', [look('first'), look('second')]);
    await place.take(dnss, 'B', [look('of another')]);
    await exporter().run();
    place.clock.advance(hour - 1);
    await place.take(dnss, 'A', [look('last')]);
    await exporter().run();
    expect(bucket.puts).toEqual([]);
    place.clock.advance(60_001);
    await place.take(dnss, 'A', [look('next hour')]);
    await exporter().run();
    const data = `${dnsData('12')}/${holder}-00000.ndjson.gz`;
    const empty = `${folder('manifests', 'Entities.Users', '12')}/${holder}.json`;
    expect([...bucket.puts].sort()).toEqual([data, dnsManifest('12'), empty].sort());
    expect(namesIn(data)).toEqual(['first', 'second', 'last']);
    const body = bucket.objects.get(data) as Buffer;
    const hours = {
      receivedFrom: '2026-03-01T12:00:00.000Z',
      receivedBefore: '2026-03-01T13:00:00.000Z',
    };
    expect(manifestAt(dnsManifest('12'))).toEqual({
      ...{ profileVersion: 'V1', account: 'acme-a', dataset: 'Activities/DNSs', holder, ...hours },
      records: 3,
      objects: [
        {
          ...{ key: data, records: 3, bytes: body.length },
          sha256: createHash('sha256').update(body).digest('hex'),
        },
      ],
    });
    expect(manifestAt(empty)).toMatchObject({ records: 0, objects: [] });
    expect((await rows()).filter(({ state }) => state === 'written')).toMatchObject([
      { dataset: 'Activities/DNSs', hour: begin, records: 3, object: dnsManifest('12'), attempts: 1 },
      { dataset: 'Entities/Users', hour: begin, records: 0, object: empty, attempts: 1 },
    ]);
    await exporter().run();
    expect(bucket.puts.length).toBe(3);
    place.clock.advance(hour);
    await exporter().run();
    expect(namesIn(`${dnsData('13')}/${holder}-00000.ndjson.gz`)).toEqual(['next hour']);
    expect(new Set(bucket.puts).size).toBe(bucket.puts.length);
    const state = await place.store.read.selectFrom('integrations').select('state').executeTakeFirstOrThrow();
    expect(JSON.parse(String(state.state))).toMatchObject({
      ok: true,
      lastSuccessfulTime: place.clock.now(),
    });
  });

  test('is caught up after downtime', async () => {
    await exporter().run();
    for (const name of ['12', '13', '14']) {
      await place.take(dnss, 'A', [look(name)]);
      place.clock.advance(hour);
    }
    place.clock.advance(60_000);
    await exporter().run();
    for (const name of ['12', '13', '14'])
      expect(namesIn(`${dnsData(name)}/${holder}-00000.ndjson.gz`)).toEqual([name]);
    expect(await states()).toEqual({ written: 6, waiting: 2 });
  });

  test('is split into parts, which are the same after a restart or a failure', async () => {
    const long = 'x'.repeat(4_000);
    for (let batch = 0; batch < 10; batch++)
      await place.take(
        ...([
          dnss,
          'A',
          Array.from({ length: 500 }, (_, index) => look(`${batch}-${index}`, { long })),
        ] as const),
      );
    await exporter([dnss.path]).run();
    place.clock.advance(hour + 60_000);
    const stopped = exporter([dnss.path]);
    bucket.instead = () => void stopped.stop();
    await stopped.run();
    expect(bucket.puts.length).toBe(1);
    expect((await rows())[0]).toMatchObject({ state: 'waiting', attempts: 0, due_at: place.clock.now() });
    bucket.instead = (key) => (key.endsWith('00001.ndjson.gz') ? { status: 503 } : undefined);
    await exporter([dnss.path]).run();
    const first = bucket.objects.get(`${dnsData('12')}/${holder}-00000.ndjson.gz`);
    expect(bucket.objects.size).toBe(1);
    expect((await rows())[0]).toMatchObject({
      ...{ state: 'waiting', attempts: 1, due_at: place.clock.now() + 60_000 },
      problem: expect.stringContaining('503'),
    });
    bucket.instead = () => undefined;
    await exporter([dnss.path]).run();
    expect(bucket.objects.size).toBe(1);
    place.clock.advance(60_000);
    await exporter([dnss.path]).run();
    const { objects, records } = manifestAt(dnsManifest('12'));
    expect(records).toBe(5_000);
    expect(objects.length).toBe(2);
    const keys = objects.map(({ key }: { key: string }) => key);
    expect(new Set(keys.flatMap((key: string) => bucket.lines(key))).size).toBe(5_000);
    expect(bucket.objects.get(`${dnsData('12')}/${holder}-00000.ndjson.gz`)?.equals(first as Buffer)).toBe(
      true,
    );
  });

  test('is repeated after the process died, once its lease has expired', async () => {
    await place.take(dnss, 'A', [look('a')]);
    await exporter([dnss.path]).run();
    place.clock.advance(hour + 60_000);
    let reached = () => {};
    const atManifest = new Promise<void>((resolve) => {
      reached = resolve;
    });
    bucket.instead = (key) => {
      if (!key.endsWith('.json')) return undefined;
      reached();
      return 'hang';
    };
    const abandoned = exporter([dnss.path]).run();
    await atManifest;
    bucket.instead = () => undefined;
    await exporter([dnss.path]).run();
    expect(bucket.objects.has(dnsManifest('12'))).toBe(false);
    place.clock.advance(600_000);
    await exporter([dnss.path]).run();
    expect(manifestAt(dnsManifest('12')).records).toBe(1);
    expect((await rows())[0]).toMatchObject({ state: 'written', attempts: 2, records: 1 });
    const data = `${dnsData('12')}/${holder}-00000.ndjson.gz`;
    expect(bucket.puts).toEqual([data, data, dnsManifest('12')]);
    await bucket.close();
    await abandoned;
    expect((await rows())[0]).toMatchObject({ state: 'written' });
  });
});

test('never overwrites earlier objects after a restore', async () => {
  await addChannel(place, 'C', 'A');
  await addRule(place, 'R', 'A', ['C']);
  await place.take(dnss, 'A', [look('a')]);
  await exporter([dnss.path]).run();
  place.clock.advance(hour + 60_000);
  await exporter([dnss.path]).run();
  const replacement = await place.telemetry.replacement();
  await replacement.ready();
  await place.telemetry.swapIn(replacement, (mark) => place.store.housekeeping(mark));
  await place.store.housekeeping((tx) =>
    tx.updateTable('exports').set({ state: 'waiting' }).where('hour', '=', begin).execute(),
  );
  await exporter([dnss.path]).run();
  place.clock.advance(hour);
  await exporter([dnss.path]).run();
  expect(manifestAt(dnsManifest('12')).records).toBe(1);
  expect(namesIn(`${dnsData('12')}/${holder}-00000.ndjson.gz`)).toEqual(['a']);
  const beside = folder('manifests', 'Activities.DNSs', '12');
  const manifests = [...bucket.objects.keys()].filter((key) => key.startsWith(beside));
  expect(manifests.map((key) => manifestAt(key).records).sort()).toEqual([0, 1]);
});

describe('a failing bucket', () => {
  beforeEach(async () => {
    await addChannel(place, 'C', 'A');
    await addRule(place, 'R', 'A', ['C']);
    await exporter().run();
    place.clock.advance(hour + 60_000);
    bucket.instead = () => ({ status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
  });

  test('is tried once for all datasets with backoff, and the hours are exported when it recovers', async () => {
    let asked = 0;
    bucket.instead = () => {
      asked++;
      return { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' };
    };
    for (let minute = 0; minute < 60; minute++) {
      await exporter().run();
      place.clock.advance(60_000);
    }
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(20);
    expect((await rows()).map(({ problem }) => problem)).toContain('AWS s3 answered 403 AccessDenied');
    const state = await place.store.read.selectFrom('integrations').select('state').executeTakeFirstOrThrow();
    expect(JSON.parse(String(state.state))).toMatchObject({ ok: false });
    bucket.instead = () => undefined;
    place.clock.advance(hour);
    await exporter().run();
    expect((await rows()).filter(({ hour }) => hour === begin)).toMatchObject([
      ...[
        { state: 'written', problem: null },
        { state: 'written', problem: null },
      ],
    ]);
  });

  test('hours are given up after a week and stay visible', async () => {
    for (let round = 0; round < 8; round++) {
      place.clock.advance(day);
      await exporter().run();
    }
    const dead = (await rows()).filter(({ state }) => state === 'dead');
    expect(dead.length).toBeGreaterThan(0);
    for (const { hour: of, problem } of dead) {
      expect(of).toBeLessThan(place.clock.now() - 7 * day);
      expect(problem).toBe('AWS s3 answered 403 AccessDenied');
    }
  });
});

describe('an export rule', () => {
  test('of an organization exports each account once to each bucket', async () => {
    await addChannel(place, 'C1', 'O');
    await addChannel(place, 'C2', 'O', {
      data: JSON.stringify({
        s3CrossAccountCredentials: {
          ...bucketData.s3CrossAccountCredentials,
          bucketArn: 'arn:aws:s3:::exports/other',
        },
      }),
    });
    await addChannel(place, 'Mail', 'O', { type: 'EmailUser' });
    await addRule(place, 'R', 'O', ['C1', 'C2', 'Mail']);
    await place.take(dnss, 'A', [look('a')]);
    await place.take(dnss, 'B', [look('b')]);
    await exporter([dnss.path]).run();
    place.clock.advance(hour + 60_000);
    await exporter([dnss.path]).run();
    const data = [...bucket.objects.keys()].filter((key) => key.endsWith('.gz')).sort();
    expect(data).toEqual(
      ['other/', 'some/where/'].flatMap((prefix) =>
        ['acme-a', 'acme-b'].map(
          (account) => `${dnsData('12', account).replace('some/where/', prefix)}/${holder}-00000.ndjson.gz`,
        ),
      ),
    );
    expect(data.flatMap(namesIn)).toEqual(['a', 'b', 'a', 'b']);
  });

  test('waits while disabled, ends when deleted or without the bucket, and does not affect others', async () => {
    await addChannel(place, 'C', 'A');
    for (const id of ['on', 'off', 'deleted', 'other']) await addRule(place, id, 'A', ['C']);
    await exporter([dnss.path]).run();
    place.clock.advance(hour + 60_000);
    await changeRow(place, 'rules', 'off', { filters: filtersOf('off', 0) });
    await changeRow(place, 'rules', 'other', { channels: '[]' });
    await place.store.housekeeping((tx) => tx.deleteFrom('rules').where('id', '=', 'deleted').execute());
    await exporter([dnss.path]).deleteBefore(0);
    for (let round = 0; round < 3; round++) {
      await exporter([dnss.path]).run();
      place.clock.advance(120_000);
    }
    const hours = (await rows()).filter((row) => row.hour === begin);
    expect(Object.fromEntries(hours.map(({ rule_id, state }) => [rule_id, state]))).toEqual({
      ...{ on: 'written', off: 'waiting', other: 'waiting' },
    });
    await changeRow(place, 'rules', 'off', { filters: filtersOf('off', 1) });
    place.clock.advance(hour);
    await exporter([dnss.path]).run();
    expect(
      (await rows()).filter(({ rule_id, state }) => rule_id === 'off' && state === 'waiting').length,
    ).toBe(1);
  });

  test('covers at most the last week', async () => {
    await addChannel(place, 'C', 'A');
    await addRule(place, 'R', 'A', ['C']);
    place.clock.advance(60 * day);
    bucket.instead = () => ({ status: 503 });
    await exporter([dnss.path]).run();
    const all = await rows();
    expect(all.length).toBe(7 * 24 + 1);
    expect(all[0]?.hour).toBe(place.clock.now() - 7 * day);
  });

  test('forgets hours whose records are deleted, in any state and on any node', async () => {
    await addChannel(place, 'C', 'A');
    await addRule(place, 'R', 'A', ['C']);
    await exporter([dnss.path]).run();
    const [row] = await rows();
    const older = (state: 'dead' | 'waiting', place: string, hours: number) => ({
      ...(row as NonNullable<typeof row>),
      ...{ state, place, hour: begin - hours * hour },
    });
    const old = [older('dead', 'local', 100), older('waiting', 'deleted', 100), older('dead', 'deleted', 98)];
    await place.store.housekeeping((tx) => tx.insertInto('exports').values(old).execute());
    await exporter([dnss.path]).deleteBefore(begin - 98 * hour);
    expect((await rows()).map((each) => (begin - each.hour) / hour)).toEqual([98, 0]);
  });

  test('keeps written hours for a month', async () => {
    await addChannel(place, 'C', 'A');
    await addRule(place, 'R', 'A', ['C']);
    await exporter([dnss.path]).run();
    place.clock.advance(hour + 60_000);
    await exporter([dnss.path]).run();
    place.clock.advance(29 * day);
    await exporter([dnss.path]).deleteBefore(0);
    expect(await states()).toEqual({ written: 1, waiting: 1 });
    place.clock.advance(2 * day);
    await exporter([dnss.path]).deleteBefore(0);
    expect(await states()).toEqual({ waiting: 1 });
  });
});

describe('an account with a bucket that never responds', () => {
  test('occupies one slot, and hours of other accounts are exported', async () => {
    for (const account of ['A', 'B']) {
      await addChannel(place, `C${account}`, account);
      await addRule(place, `R${account}`, account, [`C${account}`]);
    }
    await exporter().run();
    place.clock.advance(3 * hour + 60_001);
    bucket.instead = (key) => (key.includes('account=acme-a') ? 'hang' : undefined);
    const running = exporter();
    await running.poll();
    const written = async (owner: string) =>
      (await rows()).filter(({ owner_id, state }) => owner_id === owner && state === 'written').length;
    await expect.poll(() => written('B')).toBe(6);
    expect([await written('A'), running.running]).toEqual([0, 1]);
    running.stop();
    await bucket.close();
    await running.settled();
  });
});
