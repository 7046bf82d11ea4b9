import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const path = '/api/v2/access/tokens';
const request = (body: unknown, headers: Record<string, string> = { 'X-LW-UAKS': service.firstKey.secret }) =>
  service.request('POST', path, { body, headers });
const profile = (token: string, headers: Record<string, string> = {}) =>
  service.request('GET', '/api/v2/UserProfile', { headers: { authorization: token, ...headers } });

describe('POST access/tokens', () => {
  test('returns a token for one hour, without a data wrapper, with the expiry time in milliseconds and UTC', async () => {
    const { status, body } = await request({ keyId: service.firstKey.keyId });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['token', 'expiresAt']);
    expect(body.expiresAt).toBe('2026-03-01T13:00:00.000Z');
    expect((await profile(`Bearer ${body.token}`)).body.data[0].username).toBe('admin@local');
    expect((await profile(body.token)).body.data[0].username).toBe('admin@local');
    expect((await profile(`bearer  ${body.token}`)).status).toBe(200);
  });

  test('ignores Authorization, Account-Name and Org-Access, which one client sends', async () => {
    const ignoredHeaders = { Authorization: 'Bearer old', 'Account-Name': 'nowhere', 'Org-Access': 'false' };
    const response = await request(
      { keyId: service.firstKey.keyId },
      { 'X-LW-UAKS': service.firstKey.secret, ...ignoredHeaders },
    );
    expect(response.status).toBe(201);
  });

  test('accepts the maximum lifetime and rejects a longer one, naming the member', async () => {
    const { keyId } = service.firstKey;
    expect((await request({ keyId, expiryTime: 86_400 })).body.expiresAt).toBe('2026-03-02T12:00:00.000Z');
    for (const expiryTime of [0, -1, 86_401, 1.5, '3600', null, true, 1e30]) {
      const { status, body } = await request({ keyId, expiryTime });
      expect([status, body.code]).toEqual([400, 'INVALID_INPUT']);
      expect(body.message).toContain('expiryTime');
    }
  });

  test('rejects a wrong secret, an unknown key and a missing header alike', async () => {
    const { keyId, secret } = service.firstKey;
    const invalid = await request({ keyId }, { 'X-LW-UAKS': `${secret.slice(0, -1)}x` });
    const unknown = await request({ keyId: 'NOBODY_00' });
    const missing = await request({ keyId }, {});
    for (const { status, body } of [invalid, unknown, missing]) {
      expect(status).toBe(401);
      expect(body).not.toHaveProperty('data');
    }
    expect(invalid.body.message).toBe(unknown.body.message);
    expect(missing.body.message).toContain('X-LW-UAKS');
  });

  test.each([
    [undefined, 'body'],
    [{}, 'keyId'],
    [{ keyId: 7 }, 'keyId'],
    [{ keyId: '' }, 'keyId'],
    [[], 'body'],
    ['"text"', 'body'],
    ['null', 'body'],
    ['{"keyId":', 'JSON'],
  ])('rejects the body %j with 400 and the reason', async (body, expectedName) => {
    const { status, body: response } = await request(body);
    expect(status).toBe(400);
    expect(response.message).toContain(expectedName);
  });

  test('issues no token to an account user', async () => {
    const key = await service.member('reader@example.com', 'accountUser');
    const { status, body } = await request({ keyId: key.keyId }, { 'X-LW-UAKS': key.secret });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('writes an audit entry and updates the time of last use', async () => {
    const key = await service.member('audited@example.com', 'accountAdmin', 'local');
    service.clock.advance(1000);
    const token = await service.token(key);
    const { body } = await service.request('POST', '/api/v2/AuditLogs/search', {
      token,
      body: { filters: [{ field: 'userName', expression: 'eq', value: 'audited@example.com' }] },
    });
    expect(body.data).toEqual([
      {
        createdTime: new Date(service.clock.now()).toISOString(),
        accountName: 'LOCAL',
        userName: 'audited@example.com',
        eventName: 'Access Token Created',
        userAction: 'Access Token Created',
        eventDescription: `Access Token Created by audited@example.com: with the API key ${key.keyId}, valid for 3600 seconds`,
      },
    ]);
    const [summary] = await service.keys.list('audited@example.com');
    expect(summary?.lastUsedAt).toBe(service.clock.now());
  });
});

describe('a token', () => {
  test('expires', async () => {
    const token = await service.token(service.firstKey, 60);
    service.clock.advance(59_999);
    expect((await profile(token)).status).toBe(200);
    service.clock.advance(1);
    expect((await profile(token)).status).toBe(401);
  });

  test('survives a restart', async () => {
    const token = await service.token();
    await service.restart();
    expect((await profile(token)).status).toBe(200);
  });

  test('is revoked with its key, and stays revoked if the key is enabled again', async () => {
    const key = await service.member('killed@example.com', 'orgAdmin');
    const token = await service.token(key);
    expect((await profile(token)).status).toBe(200);
    await service.keys.disable(key.keyId);
    expect((await profile(token)).status).toBe(401);
    expect((await request({ keyId: key.keyId }, { 'X-LW-UAKS': key.secret })).status).toBe(401);
    await service.keys.enable(key.keyId);
    expect((await profile(token)).status).toBe(401);
    const second = await service.token(key);
    await service.keys.delete(key.keyId);
    expect((await profile(second)).status).toBe(401);
  });
});
