import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SignInFailures, summaryWindow } from '../../identity/sign-in-failures.ts';
import { createLog } from '../../platform/log.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({
    VEDETTE_RATE_LIMIT: '20',
    VEDETTE_TRUSTED_PROXIES: '127.0.0.1',
  });
});
afterAll(() => service.stop());
afterEach(() => service.clock.advance(2 * 3_600_000));

const wrongSecret = `_${'5ec7e7'.repeat(5)}00`;
const unknownKey = `LOCAL_${'A'.repeat(50)}`;

const signIn = (keyId: string, secret: string, address = '203.0.113.9') =>
  service.request('POST', '/api/v2/access/tokens', {
    headers: { 'X-LW-UAKS': secret, 'x-forwarded-for': address },
    body: { keyId },
  });
/** Counts by kind and reason. */
const counted = async (): Promise<Record<string, number>> => {
  const { text } = await service.request('GET', '/metrics');
  const samples = text.matchAll(/vedette_sign_in_failures_total\{kind="(\w+)",reason="(\w+)"\} (\d+)/g);
  return Object.fromEntries(
    [...samples].map(([, kind, reason, count]) => [`${kind} ${reason}`, Number(count)]),
  );
};
const logged = (message: string) =>
  service.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);

describe('wrong keys from one address', () => {
  test('do not block a valid key behind the same address', async () => {
    const { keyId, secret } = service.firstKey;
    const statuses = new Set<number>();
    for (let count = 0; count < 30; count++)
      statuses.add((await signIn(`LOCAL_${String(count).padStart(50, '0')}`, wrongSecret)).status);
    expect([...statuses]).toEqual([401, 429]);
    expect((await signIn(unknownKey, wrongSecret)).body.code).toBe('RATE_LIMITED');
    const valid = await signIn(keyId, secret);
    expect([valid.status, valid.headers.get('ratelimit-remaining')]).toEqual([201, '19']);
    expect((await signIn('NOBODY', wrongSecret, '203.0.113.10')).status).toBe(401);
  });

  test('are throttled with increasing delays per key id, whether it exists or not, while the right secret works', async () => {
    const { keyId, secret } = service.firstKey;
    for (const id of [keyId, unknownKey]) {
      const attempt = async () => (await signIn(id, wrongSecret, '203.0.113.20')).status;
      const statuses: number[] = [];
      for (let count = 0; count < 8; count++) statuses.push(await attempt());
      expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
      const rejected = await signIn(id, wrongSecret, '203.0.113.20');
      expect(rejected.body.message).toBe(
        'Too many wrong secrets for this keyId from this address: try again in 1 seconds.',
      );
      expect(rejected.headers.get('retry-after')).toBeNull();
      service.clock.advance(1_000);
      expect([await attempt(), await attempt()]).toEqual([401, 429]);
      service.clock.advance(1_000);
      expect(await attempt()).toBe(429);
      service.clock.advance(1_000);
      expect(await attempt()).toBe(401);
      service.clock.advance(3_600_000);
    }
    for (let count = 0; count < 8; count++) await signIn(keyId, wrongSecret, '203.0.113.21');
    expect((await signIn(keyId, wrongSecret, '203.0.113.22')).status).toBe(401);
    for (const address of ['203.0.113.21', '203.0.113.22'])
      expect((await signIn(keyId, secret, address)).status).toBe(201);
    expect((await signIn(keyId, wrongSecret, '203.0.113.21')).status).toBe(401);
  });

  test('are counted by IPv6 network', async () => {
    for (let count = 0; count < 20; count++) await signIn('NOBODY', wrongSecret, `2001:db8::${count}`);
    expect((await signIn('SOMEBODY', wrongSecret, '2001:db8::ffff')).status).toBe(429);
    expect((await signIn('SOMEBODY', wrongSecret, '2001:db8:0:1::1')).status).toBe(401);
  });

  test('count against the limit of the address, and a valid key against the limit of its user', async () => {
    const { keyId, secret } = await service.member('limited@example.com', 'orgAdmin');
    for (let count = 0; count < 20; count++)
      expect((await signIn(keyId, secret, `203.0.113.${30 + (count % 2)}`)).status).toBe(201);
    expect((await signIn(keyId, secret, '203.0.113.31')).status).toBe(429);
    const empty = { headers: { 'x-forwarded-for': '203.0.113.40' }, body: {} };
    const statuses: number[] = [];
    for (let count = 0; count < 22; count++)
      statuses.push((await service.request('POST', '/api/v2/access/tokens', empty)).status);
    expect([statuses[0], statuses[19], statuses[20], statuses[21]]).toEqual([400, 400, 429, 429]);
  });
});

describe('failed sign-ins', () => {
  test('are counted by kind, without distinguishing a wrong secret from an unknown key', async () => {
    const before = await counted();
    await signIn(service.firstKey.keyId, wrongSecret);
    await signIn(unknownKey, wrongSecret);
    const requests = [
      ['GET', '/api/v2/UserProfile', undefined],
      ['POST', '/ingest/v1/Activities/DNSs', []],
      ['POST', '/api/v2/dspm/status', { ok: true, message: '' }],
    ] as const;
    for (const [method, path, body] of requests) {
      expect((await service.request(method, path, { token: 'wrong', body })).status).toBe(401);
      expect((await service.request(method, path, { body })).status).toBe(401);
    }
    const after = await counted();
    const added = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]);
    expect(Object.fromEntries(added.filter(([, count]) => count !== 0))).toEqual({
      ...{ 'api_key wrong': 2, 'access_token wrong': 1, 'access_token missing': 1 },
      ...{ 'agent_token wrong': 1, 'agent_token missing': 1 },
      ...{ 'server_token wrong': 1, 'server_token missing': 1 },
    });
  });

  test('are logged once with address and key id, then as a count, and never with a secret', async () => {
    const address = '203.0.113.50';
    const loggedForAddress = (message: string) => logged(message).filter((line) => line.address === address);
    for (let count = 0; count < 5; count++) await signIn(unknownKey, wrongSecret, address);
    await signIn(wrongSecret, wrongSecret, address);
    expect(loggedForAddress('sign-in failed').map(({ kind, keyId }) => [kind, keyId])).toEqual([
      ['api_key', unknownKey],
      ['api_key', 'malformed, 33 characters'],
    ]);
    await service.restart();
    expect(loggedForAddress('sign-in failed repeatedly')).toMatchObject([{ keyId: unknownKey, count: 5 }]);
    expect(service.logLines.filter((line) => line.includes(wrongSecret))).toEqual([]);
  });

  test('are bounded in log and memory', async () => {
    const before = service.logLines.length;
    const summaryCount = logged('further sign-ins failed').length;
    for (let count = 0; count < 200; count++)
      await signIn(`LOCAL_${String(count).padStart(50, '1')}`, wrongSecret, `198.51.100.${count}`);
    const lines = service.logLines.slice(before).filter((line) => line.includes('sign-in failed'));
    expect(lines.length).toBeLessThanOrEqual(30);
    await service.restart();
    const further = logged('further sign-ins failed').slice(summaryCount);
    expect(further.reduce((sum, { count }) => sum + count, 0)).toBe(200 - lines.length);
  });

  test('with a known key have one audit entry per window in its account, with unknown keys none', async () => {
    const key = await service.member('watched@example.com', 'orgAdmin');
    const entries = async () => {
      const { rows } = { rows: await service.store.read.selectFrom('audit_log').selectAll().execute() };
      return rows.filter(({ event_name }) => event_name === 'Failed Sign-In Summary');
    };
    await service.restart();
    const before = (await entries()).length;
    for (let count = 0; count < 9; count++) await signIn(key.keyId, wrongSecret, `203.0.113.${60 + count}`);
    for (let count = 0; count < 20; count++) await signIn(unknownKey, wrongSecret, `203.0.113.${80 + count}`);
    expect(await entries()).toHaveLength(before);
    const first = new Date(service.clock.now()).toISOString();
    service.clock.advance(summaryWindow);
    await signIn(key.keyId, wrongSecret, '203.0.113.60');
    const last = new Date(service.clock.now()).toISOString();
    await service.restart();
    const newEntries = (await entries()).slice(before);
    expect(newEntries).toHaveLength(1);
    expect(newEntries[0]).toMatchObject({
      account_name: 'LOCAL',
      user_name: 'unknown',
      event_description: `Failed Sign-In Summary by unknown: 10 failed attempts with the API key ${key.keyId} from 203.0.113.60, 203.0.113.61, 203.0.113.62, 203.0.113.63, 203.0.113.64, others between ${first} and ${last}`,
    });
  });

  test('with agent and server tokens are limited by address, do not affect valid tokens, and are audited if known', async () => {
    const token = await service.token();
    const request = (method: string, path: string, body: unknown) =>
      service.request(method, path, { token, body, headers: { 'Account-Name': 'local' } });
    const created = await request('POST', '/api/v2/AgentAccessTokens', {
      tokenAlias: 'web hosts',
      tokenEnabled: 1,
    });
    const { accessToken } = created.body.data;
    const scanner = await request('POST', '/api/v2/CloudAccounts', {
      ...{ name: 'scanner', type: 'AwsDspm', enabled: 1, data: { crossAccountCredentials: {} } },
    });
    const { intgGuid, serverToken } = scanner.body.data;
    const send = (path: string, credential: string, body: unknown) =>
      service.request('POST', path, {
        token: credential,
        body,
        headers: { 'x-forwarded-for': '203.0.113.70' },
      });
    const lookup = () => ({
      ...{ createdTime: new Date(service.clock.now() - 1_000).toISOString(), mid: 1, fqdn: 'a.example' },
      ...{ hostIpAddr: '192.0.2.1', ttl: 60, dnsServerIp: '192.0.2.53' },
    });
    const batch = (credential: string) => send('/ingest/v1/Activities/DNSs', credential, [lookup()]);
    const report = (credential: string) => send('/api/v2/dspm/status', credential, { ok: true, message: '' });
    for (const [attempt, valid] of [
      [batch, accessToken],
      [report, serverToken.serverToken],
    ] as const) {
      const statuses: number[] = [];
      for (let count = 0; count < 21; count++) statuses.push((await attempt('wrong')).status);
      expect([statuses[0], statuses[19], statuses[20]]).toEqual([401, 401, 429]);
      expect((await attempt(valid)).status).toBe(200);
    }
    await request('PATCH', `/api/v2/AgentAccessTokens/${accessToken}`, { tokenEnabled: 0 });
    await request('PATCH', `/api/v2/CloudAccounts/${intgGuid}`, { enabled: 0 });
    service.clock.advance(3_600_000);
    expect((await batch(accessToken)).status).toBe(401);
    expect((await report(serverToken.serverToken)).status).toBe(401);
    await service.restart();
    const entries = await service.store.read.selectFrom('audit_log').select('event_description').execute();
    const strings = entries.map(({ event_description }) => event_description);
    for (const name of [
      "the disabled agent token 'web hosts'",
      `the server token of the integration ${intgGuid}`,
    ])
      expect(
        strings.filter((text) => text.includes(`1 failed attempt with ${name} from 203.0.113.70`)),
      ).toHaveLength(1);
  });

  test('with expired tokens or disabled keys are 401 also behind a throttled address, and audited', async () => {
    const key = await service.member('expired@example.com', 'orgAdmin');
    const { token } = (await signIn(key.keyId, key.secret)).body;
    const read = (credential: string) =>
      service.request('GET', '/api/v2/UserProfile', {
        token: credential,
        headers: { 'x-forwarded-for': '203.0.113.75' },
      });
    expect((await read(token)).status).toBe(200);
    service.clock.advance(86_400_000);
    for (let count = 0; count < 20; count++) expect((await read(`_${count}`)).status).toBe(401);
    expect((await read('_guess')).body.code).toBe('RATE_LIMITED');
    const expired = await read(token);
    expect([expired.status, expired.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(expired.headers.get('ratelimit-remaining')).toBe('0');
    await service.restart();
    const entries = await service.store.read.selectFrom('audit_log').select('event_description').execute();
    const name = `an expired or disabled token of the API key ${key.keyId}`;
    expect(
      entries.filter((entry) => entry.event_description.includes(`1 failed attempt with ${name} from`)),
    ).toHaveLength(1);
  });

  test('are audited after an outage of the store, including those during the outage', async () => {
    const { store, clock } = service;
    const failures = new SignInFailures(store, clock, createLog('silent', { write: () => {} }));
    const { id: ownerId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
    const known = { ownerId, name: 'a key of this test' };
    const fail = (address: string) => failures.record({ kind: 'api_key', address, known });
    const rename = (from: string, to: string) =>
      store.housekeeping((tx) => tx.schema.alterTable(from).renameTo(to).execute());
    fail('203.0.113.90');
    await rename('audit_log', 'audit_log_away');
    const flushed = failures.flush(true);
    fail('203.0.113.91');
    await expect(flushed).rejects.toThrow();
    await rename('audit_log_away', 'audit_log');
    await failures.flush(true);
    const entries = await store.read.selectFrom('audit_log').select('event_description').execute();
    const strings = entries.map(({ event_description }) => event_description);
    expect(strings.filter((text) => text.includes(known.name))).toEqual([
      expect.stringContaining(
        '2 failed attempts with a key of this test from 203.0.113.90, 203.0.113.91 between',
      ),
    ]);
  });
});
