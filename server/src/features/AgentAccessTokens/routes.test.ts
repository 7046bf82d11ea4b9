import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeOwner } from '../../control/purge.ts';
import { readKeyFile, reencrypt, secretKeyFile, writeKeyFile } from '../../control/secret-key.ts';
import { Keyring } from '../../platform/keyring.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const family = 'AgentAccessTokens';
const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const createToken = async (tokenAlias: string, rest: object = {}) =>
  (await request('POST', family, { tokenAlias, tokenEnabled: 1, ...rest })).body.data;
const createdTime = '2026-03-01T12:00:00.000Z';

describe('an agent access token', () => {
  test('is created with the server time, ignores createdTime, and is returned unchanged', async () => {
    const props = { createdTime: '0001-01-01T00:00:00Z', description: 'hosts', os: 'linux', team: ['a'] };
    const created = await request('POST', family, { tokenAlias: 'first', tokenEnabled: 1, props });
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({
      accessToken: expect.stringMatching(/^[0-9a-f]{56}$/),
      ...{ tokenAlias: 'first', tokenEnabled: 1, tokenPurpose: 'agent', version: '0.1', createdTime },
      props: { description: 'hosts', os: 'linux', team: ['a'], createdTime },
    });
    const read = await request('GET', `${family}/${created.body.data.accessToken}`);
    expect([read.status, read.body]).toEqual([200, created.body]);
    const unknownToken = await request(
      'GET',
      `${family}/${created.body.data.accessToken.replace(/.$/, 'x')}`,
    );
    expect([unknownToken.status, unknownToken.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not found: agent access token '[0-9a-f]{8}…'\.$/),
    ]);
  });

  test.each([
    ['1', 1],
    ['0', 0],
    [0, 0],
  ])('accepts tokenEnabled %j and returns the number %j', async (tokenEnabled, returned) => {
    expect(
      (await createToken(`enabled ${JSON.stringify(tokenEnabled)}`, { tokenEnabled })).tokenEnabled,
    ).toBe(returned);
  });

  test.each([
    [{ tokenEnabled: 1 }, 'tokenAlias is required'],
    [{ tokenAlias: 'x' }, 'tokenEnabled is required'],
    [{ tokenAlias: '', tokenEnabled: 1 }, 'tokenAlias'],
    [{ tokenAlias: '  ', tokenEnabled: 1 }, 'tokenAlias'],
    [{ tokenAlias: 'x', tokenEnabled: 2 }, 'tokenEnabled'],
    [{ tokenAlias: 'x', tokenEnabled: '2' }, 'tokenEnabled'],
    [{ tokenAlias: 'x', tokenEnabled: true }, 'tokenEnabled'],
    [{ tokenAlias: 'x', tokenEnabled: 1, props: [] }, 'props'],
    [{ tokenAlias: 'x', tokenEnabled: 1, props: { os: 7 } }, 'props.os'],
    [
      { tokenAlias: 'x', tokenEnabled: 1, props: { much: 'x'.repeat(20_000) } },
      'props must have at most 16384',
    ],
  ])('is rejected with 400 and the name of the member: %#', async (body, expectedName) => {
    const response = await request('POST', family, body);
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(expectedName);
  });

  test('has an alias that is unique within the account, also under concurrent creation and renaming', async () => {
    const body = { tokenAlias: 'single', tokenEnabled: 1 };
    const created = await Promise.all([1, 2, 3].map(() => request('POST', family, body)));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const again = await request('POST', family, body);
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining("'single' already")]);

    const two = await Promise.all([createToken('two a'), createToken('two b')]);
    const renamed = await Promise.all(
      two.map(({ accessToken }) => request('PATCH', `${family}/${accessToken}`, { tokenAlias: 'two' })),
    );
    expect(renamed.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await request('PATCH', `${family}/${two[0].accessToken}`, { tokenAlias: 'single' })).status).toBe(
      409,
    );

    await service.accounts.create('elsewhere');
    const other = await request('POST', family, body, { 'Account-Name': 'elsewhere' });
    expect([other.status, other.body.data.tokenAlias]).toEqual([201, 'single']);
  });

  test('keeps the properties that an update omits, and removes those that are null', async () => {
    const { accessToken } = await createToken('patched', {
      props: { os: 'linux', subscription: 'standard' },
    });
    service.clock.advance(5_000);
    const change = async (body: object) =>
      (await request('PATCH', `${family}/${accessToken}`, body)).body.data;
    const disabled = await change({ tokenEnabled: '0', props: { createdTime: '0001-01-01T00:00:00Z' } });
    expect(disabled).toEqual({
      ...{
        accessToken,
        tokenAlias: 'patched',
        tokenEnabled: 0,
        tokenPurpose: 'agent',
        version: '0.1',
        createdTime,
      },
      props: { os: 'linux', subscription: 'standard', createdTime },
    });
    const described = await change({ tokenAlias: 'patched-deleted', props: { description: 'gone' } });
    expect(described).toMatchObject({ tokenAlias: 'patched-deleted', tokenEnabled: 0 });
    expect(described.props).toEqual({
      ...{ os: 'linux', subscription: 'standard', description: 'gone', createdTime },
    });
    expect(await change({ tokenAlias: null, tokenEnabled: null, props: null })).toEqual(described);
    expect((await change({ props: { subscription: null } })).props).toEqual({
      ...{ os: 'linux', description: 'gone', createdTime },
    });
    const unknown = await request('PATCH', `${family}/nothing`, { tokenEnabled: 0 });
    expect([unknown.status, unknown.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not found: agent access token '[^']{1,8}…'\.$/),
    ]);
  });

  test('cannot exceed the size limit through repeated updates', async () => {
    const { accessToken } = await createToken('growing', { props: { a: 'x'.repeat(10_000) } });
    const updated = await request('PATCH', `${family}/${accessToken}`, { props: { b: 'x'.repeat(10_000) } });
    expect([updated.status, updated.body.message]).toEqual([400, expect.stringContaining('props')]);
    expect((await request('GET', `${family}/${accessToken}`)).body.data.props.b).toBeUndefined();
  });

  test('keeps all concurrent updates', async () => {
    const { accessToken } = await createToken('shared');
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(
      names.map((name) => request('PATCH', `${family}/${accessToken}`, { props: { [name]: 1 } })),
    );
    const { props } = (await request('GET', `${family}/${accessToken}`)).body.data;
    expect(props).toMatchObject({ a: 1, b: 1, c: 1, d: 1 });
  });

  test('is listed only if it is enabled, but can be read by id if it is disabled', async () => {
    const { accessToken } = await createToken('listed');
    const enabledTokens = async () =>
      (await request('GET', family)).body.data.map((one: { tokenAlias: string }) => one.tokenAlias);
    expect(await enabledTokens()).toContain('listed');
    await request('PATCH', `${family}/${accessToken}`, { tokenEnabled: 0 });
    expect(await enabledTokens()).not.toContain('listed');
    expect((await request('GET', `${family}/${accessToken}`)).body.data.tokenEnabled).toBe(0);
    const enabled = await request('PATCH', `${family}/${accessToken}`, { tokenEnabled: 1 });
    expect(enabled.body.data.tokenEnabled).toBe(1);
    expect(await enabledTokens()).toContain('listed');
  });

  test('is searchable by its members, also if disabled, and by its exact token only', async () => {
    const { accessToken } = await createToken('sought', { tokenEnabled: 0, props: { os: 'plan9' } });
    const find = async (field: string, expression: string, operand: object) =>
      (
        await request('POST', `${family}/search`, {
          filters: [{ field, expression, ...operand }],
          returns: ['accessToken', 'tokenEnabled'],
        })
      ).body;
    const expected = { data: [{ accessToken, tokenEnabled: 0 }] };
    expect(await find('tokenAlias', 'eq', { value: 'sought' })).toEqual(expected);
    expect(await find('accessToken', 'eq', { value: accessToken })).toEqual(expected);
    expect(await find('accessToken', 'in', { values: [accessToken, 'x'] })).toEqual(expected);
    expect(await find('props.os', 'eq', { value: 'plan9' })).toEqual(expected);
    expect((await find('tokenEnabled', 'eq', { value: '0' })).data).toContainEqual(expected.data[0]);
    expect((await find('accessToken', 'ne', { value: accessToken })).data).not.toContainEqual(
      expected.data[0],
    );
    expect((await find('version', 'eq', { value: '0.1' })).data).toContainEqual(expected.data[0]);
    expect(await find('createdTime', 'lt', { value: '2026-03-01' })).toEqual({ data: [] });
    expect((await find('nothing', 'eq', { value: 'x' })).message).toContain("Invalid field 'nothing'");
  });

  test.each([
    'like',
    'not_like',
    'ilike',
    'not_ilike',
    'rlike',
    'not_rlike',
    'gt',
    'lt',
    'ge',
    'le',
    'between',
  ])('cannot be probed with %s: 400 names the filter', async (expression) => {
    const operands = expression === 'between' ? { values: ['0', 'f'] } : { value: 'a%' };
    const filters = [
      { field: 'tokenEnabled', expression: 'eq', value: 1 },
      { field: 'accessToken', expression, ...operands },
    ];
    const { status, body } = await request('POST', `${family}/search`, { filters });
    expect([status, body.code]).toEqual([400, 'INVALID_FILTER']);
    expect(body.message).toContain(`filters[1].expression '${expression}'`);
  });

  test('is stored as a fingerprint and encrypted, and is neither in the audit log nor in the log', async () => {
    const { accessToken } = await createToken('audited', { props: { description: 'canary' } });
    await request('PATCH', `${family}/${accessToken}`, { tokenAlias: 'renamed', props: { os: 'linux' } });
    await request('GET', `${family}/${accessToken}`);
    const rows = await service.store.read.selectFrom('agent_tokens').selectAll().execute();
    expect(rows.some(({ alias }) => alias === 'renamed')).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(accessToken);
    expect(service.logLines.join('\n')).not.toContain(accessToken);
    const { body, text } = await request('POST', 'AuditLogs/search', {
      filters: [{ field: 'eventName', expression: 'like', value: 'Agent Access Token %' }],
    });
    expect(text).not.toContain(accessToken);
    expect(text).not.toContain('canary');
    const auditEntries = body.data.map(
      (entry: { eventName: string; eventDescription: string }) =>
        `${entry.eventName} | ${entry.eventDescription.split(': ').slice(1).join(': ')}`,
    );
    expect(auditEntries).toContain("Agent Access Token Created | 'audited'");
    expect(auditEntries).toContain("Agent Access Token Updated | 'renamed': tokenAlias, props.os");
  });

  test('is still readable and searchable after a rotation of the secret key', async () => {
    const created = await createToken('rotated');
    const file = secretKeyFile(service.place.directory);
    const added = Keyring.newMaterial();
    await service.store.housekeeping((tx) => reencrypt(tx, new Keyring([added, ...readKeyFile(file)])));
    writeKeyFile(file, [added]);
    await service.restart();
    const read = await request('GET', `${family}/${created.accessToken}`);
    expect([read.status, read.body.data]).toEqual([200, created]);
  });

  test('is deleted with its account', async () => {
    const { id } = await service.accounts.create('leaving');
    const created = await request(
      'POST',
      family,
      { tokenAlias: 'x', tokenEnabled: 1 },
      { 'Account-Name': 'leaving' },
    );
    expect(created.status).toBe(201);
    await service.accounts.delete('leaving');
    await purgeOwner(service.store, id);
    const remaining = await service.store.read
      .selectFrom('agent_tokens')
      .selectAll()
      .where('owner_id', '=', id);
    expect(await remaining.execute()).toEqual([]);
  });
});
