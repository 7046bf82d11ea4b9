import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TestAgent } from '../testing/agent.ts';
import { batchesOfArchive, contentOf, rowsOfArchive } from '../testing/archive.ts';
import { requestOperator } from '../testing/operator.ts';
import { TestService } from '../testing/service.ts';
import { operatorSocket } from './socket.ts';

let service: TestService;
let agent: TestAgent;
let token: string;
const others: TestService[] = [];
beforeEach(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  agent = await TestAgent.of(service);
  token = await service.token(service.firstKey, 86_400);
});
afterEach(async () => {
  for (const running of [service, ...others.splice(0)]) await running.stop();
});

async function startOther(): Promise<TestService> {
  const other = await TestService.start({ VEDETTE_RATE_LIMIT: 'off', VEDETTE_ACCOUNT: 'other' });
  others.push(other);
  return other;
}

const takeBackup = async (path = '/backup?with-key') =>
  (await requestOperator(service.place.directory, path)).bytes;
const restore = (archive: Uint8Array, at = service) =>
  requestOperator(at.place.directory, '/restore', archive);
const telemetryDirectory = () => join(service.place.directory, 'telemetry');
const accepted = (response: { status: number; body: unknown }) => [response.status, response.body];
const ok = (records: number, repeated = 0) => [200, { data: { accepted: records, repeated } }];
const mids = async (from = agent, bearer = token): Promise<number[]> =>
  ((await from.search(bearer)).body?.data ?? []).map(({ mid }: { mid: number }) => mid).sort();

describe('a backup', () => {
  test('contains each previously acknowledged batch exactly once, during ingestion', async () => {
    const acknowledged = new Set<string>();
    let isFinished = false;
    const loops = Array.from({ length: 4 }, async (_, client) => {
      for (let round = 0; !isFinished; round++) {
        const [key, size] = [`${client}-${round}`, 1 + (round % 7)];
        const records = Array.from({ length: size }, (_, n) => agent.lookup(n, `,"of":"${key}"`));
        expect(accepted(await agent.send(records, { key }))).toEqual(ok(size));
        acknowledged.add(key);
      }
    });
    try {
      for (let round = 0; round < 3; round++) {
        await expect.poll(() => acknowledged.size).toBeGreaterThan(20 * (round + 1));
        const before = [...acknowledged];
        const batches = await batchesOfArchive(await takeBackup());
        const keys = batches.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(before.filter((key) => !keys.includes(key))).toEqual([]);
        // One account has all numbers, so a missing batch would leave a gap.
        expect(batches.map(({ seq }) => seq)).toEqual(batches.map((_, index) => index + 1));
        for (const { key = '', records, docs } of batches) {
          const size = 1 + (Number(key.split('-')[1]) % 7);
          const expected = Array.from({ length: size }, (_, n) => ({ mid: n, of: key }));
          expect(records).toBe(size);
          expect(docs['Activities/DNSs']?.map((doc) => JSON.parse(doc))).toMatchObject(expected);
        }
      }
    } finally {
      isFinished = true;
      await Promise.all(loops);
    }
  });

  test('can exclude telemetry', async () => {
    await agent.send([agent.lookup(1)]);
    const archive = await takeBackup('/backup?without-telemetry');
    expect(await batchesOfArchive(archive)).toEqual([]);
    expect(rowsOfArchive(archive).map(({ table }) => table)).toContain('agent_tokens');
    await agent.send([agent.lookup(2)]);
    expect((await restore(archive)).body).toEqual({ rows: rowsOfArchive(archive).length, held: true });
    expect(await mids()).toEqual([1, 2]);
  });

  test('contains an account deleted meanwhile completely, and its data are removed afterwards', async () => {
    await service.accounts.create('obsolete');
    const obsolete = await TestAgent.of(service, 'obsolete');
    // More than the streams buffer, so that the backup waits for its reader.
    for (let batch = 0; batch < 20; batch++)
      await obsolete.send([obsolete.lookup(batch, `,"x":"${randomBytes(750_000).toString('base64')}"`)]);
    const archive = await beginBackup();
    await service.accounts.delete('obsolete');
    const deletions = () => service.store.read.selectFrom('outbox').select('attempts').execute();
    await expect.poll(deletions).toEqual([{ attempts: 1 }]);
    const batches = await batchesOfArchive(await buffer(archive));
    expect(batches.map(({ docs }) => docs['Activities/DNSs']?.map((doc) => JSON.parse(doc).mid))).toEqual(
      Array.from({ length: 20 }, (_, mid) => [mid]),
    );
    service.clock.advance(60_000);
    await expect.poll(deletions).toEqual([]);
    expect(await batchesOfArchive(await takeBackup())).toEqual([]);
  });

  test('runs one at a time, reports its progress and is aborted when the server stops', async () => {
    for (let batch = 0; batch < 20; batch++)
      await agent.send([agent.lookup(batch, `,"x":"${randomBytes(750_000).toString('base64')}"`)]);
    const archive = await beginBackup();
    const partlyRead = new Promise<void>((resolve) => {
      let bytes = 0;
      archive.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes < 3_000_000) return;
        archive.removeAllListeners('data').pause();
        resolve();
      });
    });
    await partlyRead;
    const { done, total } = await progress();
    expect([total, done > 0, done < 20]).toEqual([20, true, true]);
    const second = await requestOperator(service.place.directory, '/backup');
    expect([second.status, second.body.code]).toEqual([409, 'CONFLICT']);
    await service.restart();
    await expect(buffer(archive)).rejects.toThrow('aborted');
    expect(await batchesOfArchive(await takeBackup())).toHaveLength(20);
  });
});

/** A backup with a slow reader. */
function beginBackup(): Promise<IncomingMessage> {
  const sent = request({
    socketPath: operatorSocket(service.place.directory),
    path: '/backup',
    method: 'POST',
  });
  sent.end();
  return new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));
}

async function progress(): Promise<{ done: number; total: number }> {
  const sent = request({ socketPath: operatorSocket(service.place.directory), path: '/progress' });
  sent.end();
  const response = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
  return JSON.parse(String(await buffer(response)));
}

describe('a restore', () => {
  test('restores records byte for byte on another server, with their members, order and keys', async () => {
    const records = [
      agent.lookup('9223372036854775807', ',"x":1.10'),
      agent.lookup('-9223372036854775808', ',\n  "x" : "\\u00e9\\/é" ,\r\n\t"list": [ 1e400,\n -0 ]\n'),
      agent.lookup(3, ',"x":{"deep":12345678901234567890}'),
    ];
    await agent.send(records, { key: 'first', form: 'array' });
    await agent.send([agent.lookup(4)], { key: 'second' });
    service.clock.advance(3_600_000);
    await agent.send([agent.lookup(5)]);
    const before = await agent.search(token);
    const archive = await takeBackup();

    const targetServer = await startOther();
    targetServer.clock.advance(service.clock.now() - targetServer.clock.now());
    const target = agent.at(targetServer);
    const replaced = await TestAgent.of(targetServer, 'other');
    await replaced.send([replaced.lookup(99)]);
    // One more row: the key of the other server is kept for its older backups.
    expect((await restore(archive, targetServer)).body).toEqual({
      rows: rowsOfArchive(archive).length + 1,
      records: 5,
      held: true,
    });
    const after = await target.search(token);
    expect(after.text).toBe(before.text);
    for (const record of records) expect(after.text).toContain(record);
    const filter = (field: string) => ({ filters: [{ field, expression: 'eq', value: 'é/é' }] });
    expect((await target.search(token, filter('x'))).body.data).toHaveLength(1);
    expect((await target.search(token, filter('y'))).body.message).toContain("'y'");
    expect(
      await batchesOfArchive((await requestOperator(targetServer.place.directory, '/backup')).bytes),
    ).toEqual(await batchesOfArchive(archive));

    // Repeated batches get the same response and are not stored twice.
    const first = { key: 'first', form: 'array' } as const;
    expect(accepted(await target.send(records, first))).toEqual(ok(3, 3));
    expect((await target.send([agent.lookup(1)], first)).status).toBe(409);
    expect(accepted(await target.send([agent.lookup(6)], { key: 'third' }))).toEqual(ok(1));
    expect((await target.search(token)).body.paging.totalRows).toBe(6);
    await targetServer.restart();
    expect((await target.search(token)).body.paging.totalRows).toBe(6);
    expect(accepted(await target.send(records, first))).toEqual(ok(3, 3));
  });

  test('replaces all telemetry, keeps accounts separate and invalidates earlier page cursors', async () => {
    await service.accounts.create('second');
    const other = await TestAgent.of(service, 'second');
    await agent.send([agent.lookup(1)]);
    await other.send([other.lookup(2)]);
    const archive = await takeBackup();
    const many = Array.from({ length: 5_001 }, (_, mid) => agent.lookup(mid + 10));
    await agent.send(many);
    await other.send([other.lookup(3)]);
    const next: string = (await agent.search(token)).body.paging.urls.nextPage.slice(service.url.length);
    expect((await service.request('GET', next, { token })).status).toBe(200);

    await restore(archive);
    expect(await mids()).toEqual([1]);
    expect(await mids(other)).toEqual([2]);
    const expired = await service.request('GET', next, { token });
    expect([expired.status, expired.body.message]).toEqual([400, expect.stringContaining('search again')]);

    await agent.send(many);
    const fresh: string = (await agent.search(token)).body.paging.urls.nextPage.slice(service.url.length);
    await service.restart();
    expect((await service.request('GET', fresh, { token })).body.data).toHaveLength(2);
    expect((await service.request('GET', next, { token })).status).toBe(400);
  });

  test('leaves no telemetry without an account', async () => {
    await service.accounts.create('deleted');
    const deleted = await TestAgent.of(service, 'deleted');
    await deleted.send([deleted.lookup(1)]);
    const withAccount = await takeBackup();
    const { id } = await service.store.read
      .selectFrom('accounts')
      .select('id')
      .where('name', '=', 'deleted')
      .executeTakeFirstOrThrow();
    await service.accounts.delete('deleted');
    await agent.send([agent.lookup(2)]);
    // Even before the deletion is complete.
    const accounts = (await batchesOfArchive(await takeBackup())).map(({ account }) => account);
    expect(accounts).not.toContain(id);
    await restore(withAccount);
    expect(await mids(deleted)).toEqual([1]);
    // The restore cancelled the deletion permanently.
    service.clock.advance(3_600_000);
    await expect.poll(() => service.store.read.selectFrom('outbox').select('id').execute()).toEqual([]);
    expect(await batchesOfArchive(await takeBackup())).toHaveLength(1);
  });

  test('serves either the old or the new records meanwhile, or answers 503 with Retry-After', async () => {
    const archives: Buffer[] = [];
    for (const [mid, size] of [
      [1, 30],
      [2, 70],
    ] as const) {
      await agent.send(Array.from({ length: size }, () => agent.lookup(mid)));
      archives.push(await takeBackup());
    }
    const [few, many] = archives as [Buffer, Buffer];
    let isFinished = false;
    const responses: { status: number; headers: Headers }[] = [];
    const counts = new Set<string>();
    const searcher = async () => {
      while (!isFinished) {
        const response = await agent.search(token);
        responses.push(response);
        if (response.status !== 200) continue;
        const { data, paging } = response.body;
        const countOf = (mid: number) => data.filter((record: { mid: number }) => record.mid === mid).length;
        counts.add(`${countOf(1)} ${countOf(2)} ${paging.totalRows === data.length}`);
      }
    };
    const sender = async () => {
      while (!isFinished) responses.push(await agent.send([agent.lookup(3)]));
    };
    const loops = [searcher(), searcher(), sender()];
    try {
      for (let round = 0; round < 3; round++) {
        expect((await restore(few)).body.records).toBe(30);
        expect((await restore(many)).body.records).toBe(100);
      }
    } finally {
      isFinished = true;
      await Promise.all(loops);
    }
    expect(counts).toEqual(new Set(['30 0 true', '30 70 true']));
    const rejected = responses.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeLessThan(responses.length);
    expect(new Set(rejected.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`))).toEqual(
      new Set(['503 5']),
    );
    await agent.send([agent.lookup(4)]);
    expect((await mids()).filter((mid) => mid === 4)).toEqual([4]);
  });

  test('of an older archive without telemetry keeps the telemetry', async () => {
    await agent.send([agent.lookup(1)]);
    const content = gunzipSync(await takeBackup()).toString('utf8');
    const rows = content.slice(0, content.indexOf('\n', content.indexOf('\n{"rows":') + 1) + 1);
    const old = gzipSync(rows.replace(/,"telemetry":\{[^}]*\}/, ''));
    await service.accounts.create('later');
    expect((await restore(old)).body).toEqual({ rows: rowsOfArchive(old).length, held: true });
    expect(await mids()).toEqual([1]);
    expect(JSON.stringify(await contentOf(service.store))).not.toContain('later');
  });

  test('deletes all telemetry if the archive contains none', async () => {
    const empty = await takeBackup();
    await agent.send([agent.lookup(1)]);
    expect((await restore(empty)).body.records).toBe(0);
    expect(await mids()).toEqual([]);
  });
});

describe('a restore rejects, without changes,', () => {
  const changed = (change: (text: string) => string) => (archive: Buffer) =>
    gzipSync(change(gunzipSync(archive).toString('utf8')));

  test.each<[string, string, (archive: Buffer) => Uint8Array]>([
    ['a truncated gzip file', 'complete gzip', (archive) => archive.subarray(0, -9)],
    [
      'an archive without its last batch',
      'truncated',
      changed((text) => text.slice(0, text.lastIndexOf('{"records"'))),
    ],
    ['an archive that ends within a batch', 'truncated', changed((text) => text.slice(0, -20))],
    ['an archive with additional data', 'data after its end', changed((text) => `${text}{"more":1}\n`)],
    [
      'an invalid batch',
      'telemetry line is invalid',
      changed((text) => text.replace('"seq":1', '"seq":"one"')),
    ],
    [
      'a batch with an invalid time',
      'telemetry line is invalid',
      changed((text) => text.replace(/"received":\d+/, '"received":1e300')),
    ],
    ['an unknown dataset', "'Unknown'", changed((text) => text.replaceAll('Activities/DNSs', 'Unknown'))],
    [
      'a member with an invalid day',
      'telemetry line is invalid',
      changed((text) => text.replace(/"day":"[^"]*"/, '"day":"2026-99-99"')),
    ],
    [
      'a wrong number of records',
      'number of records',
      changed((text) => text.replace('"records":2,"bytes"', '"records":3,"bytes"')),
    ],
    [
      'a wrong number of bytes',
      'longer',
      changed((text) => text.replace(/"bytes":(\d+)/, (_, bytes) => `"bytes":${bytes - 1}`)),
    ],
    [
      'a record without its time',
      'does not match',
      changed((text) => text.replace('"createdTime"', '"createdTome"')),
    ],
    ['a record with invalid JSON', 'does not match', changed((text) => text.replace('"mid":4,', '"mid":4;'))],
    [
      'invalid counts',
      'telemetry counts',
      changed((text) => text.replace('"telemetry":{', '"telemetry":{"batches":-1},"x":{')),
    ],
  ])('%s', async (_, reason, damage) => {
    const keyed = [agent.lookup(4), agent.lookup(5, ',"x":1')];
    await agent.send(keyed, { key: 'k' });
    await agent.send([agent.lookup(6)]);
    const damaged = damage(await takeBackup());
    await agent.send([agent.lookup(7)]);
    const before = await contentOf(service.store);
    const { status, body } = await restore(damaged);
    expect([status, body.code, body.message]).toEqual([
      400,
      'INVALID_INPUT',
      expect.stringContaining(reason),
    ]);
    expect(await contentOf(service.store)).toEqual(before);
    expect(await mids()).toEqual([4, 5, 6, 7]);
    expect(readdirSync(telemetryDirectory()).filter((name) => name.startsWith('restoring'))).toEqual([]);
    expect(existsSync(join(telemetryDirectory(), 'days', 'restored'))).toBe(false);
    expect(accepted(await agent.send(keyed, { key: 'k' }))).toEqual(ok(2, 2));
  });
});
