import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const role = (account: string) => ({
  roleArn: `arn:aws:iam::${account}:role/reader`,
  externalId: 'lweid:aws:v2:x',
});
const awsCfg = (account: string, name = 'production') => ({
  ...{ name, type: 'AwsCfg', enabled: 1 },
  data: { crossAccountCredentials: role(account) },
});

describe('a cloud account', () => {
  test('has the AWS account filled in if a client omits it, and can be integrated once', async () => {
    const { body } = await request('POST', 'CloudAccounts', awsCfg('111111111111'));
    expect(body.data.data.awsAccountId).toBe('111111111111');
    expect(body.data).toMatchObject({
      ...{ name: 'production', type: 'AwsCfg', enabled: 1, isOrg: 0, createdOrUpdatedBy: 'admin@local' },
      createdOrUpdatedTime: '2026-03-01T12:00:00.000Z',
      state: {
        ok: false,
        lastUpdatedTime: Date.parse('2026-03-01T12:00:00Z'),
        lastSuccessfulTime: 0,
        details: { message: 'Not tried yet.' },
      },
    });
    const second = await request('POST', 'CloudAccounts', awsCfg('111111111111', 'again'));
    expect(second.status).toBe(409);
    expect(second.body.message).toContain('AWS account is already used');
    const other = await request('POST', 'CloudAccounts', awsCfg('111111111111'), { 'Org-Access': 'true' });
    expect([other.status, other.body.data.isOrg]).toEqual([201, 1]);
  });

  test('of a type without a collector says so, and never that it succeeded', async () => {
    const [tenantId, credentials] = [
      '8a1b2c3d-0000-4000-8000-112233445566',
      { clientId: 'c', clientSecret: 's' },
    ];
    const data = { tenantId, credentials, eventHubNamespace: 'n', eventHubName: 'h' };
    const { body } = await request('POST', 'CloudAccounts', {
      name: 'entra',
      type: 'AzureAdAl',
      enabled: 1,
      data,
    });
    const message = 'This server has no collector for this type of integration: nothing is read.';
    expect(body.data.state).toMatchObject({ ok: false, lastSuccessfulTime: 0, details: { message } });
    const changed = await request('PATCH', `CloudAccounts/${body.data.intgGuid}`, {
      data: { ...data, eventHubName: 'i' },
    });
    expect(changed.body.data.state).toMatchObject({ ok: false, details: { message } });
  });

  test('created twice concurrently returns one 201 and one 409', async () => {
    const responses = await Promise.all(
      [1, 2, 3].map(() => request('POST', 'CloudAccounts', awsCfg('222222222222'))),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  test('is rejected with a blank or missing secret, and keeps its secret if an update blanks it', async () => {
    const azure = (clientSecret?: string) => ({
      tenantId: '8a1b2c3d-0000-4000-8000-112233445566',
      credentials: { clientId: 'c', clientSecret },
    });
    const createAccount = (data: object) =>
      request('POST', 'CloudAccounts', { name: 'a', type: 'AzureCfg', enabled: 1, data });
    const without = (await createAccount(azure())).body.data;
    const missing = { ok: false, details: { message: 'A secret is missing: add it.' } };
    expect([without.state, without.data.credentials]).toMatchObject([missing, { clientId: 'c' }]);
    await request('DELETE', `CloudAccounts/${without.intgGuid}`);
    const { body } = await createAccount(azure(''));
    expect([body.data.state, body.data.data.credentials.clientSecret]).toMatchObject([missing, '']);
    const path = `CloudAccounts/${body.data.intgGuid}`;
    const initialState = { ok: false, details: { message: 'Not tried yet.' } };
    expect((await request('PATCH', path, { data: azure('canary') })).body.data.state).toMatchObject(
      initialState,
    );
    for (const secret of ['', '***']) {
      const changed = await request('PATCH', path, { name: 'renamed', data: azure(secret) });
      expect([changed.body.data.state, changed.body.data.name]).toMatchObject([initialState, 'renamed']);
    }
  });

  test('accepts a record as it was read, ignores read-only members, and never changes its type', async () => {
    const { body } = await request('POST', 'CloudAccounts', awsCfg('333333333333'));
    const { intgGuid } = body.data;
    const changed = await request('PATCH', `CloudAccounts/${intgGuid}`, {
      ...body.data,
      type: 'AzureCfg',
      enabled: 0,
      isOrg: 1,
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data).toMatchObject({ intgGuid, type: 'AwsCfg', enabled: 0, isOrg: 0 });
    const only = await request('PATCH', `CloudAccounts/${intgGuid}`, { enabled: 1 });
    expect(only.body.data).toEqual({ ...changed.body.data, enabled: 1 });
    const replaced = await request('PUT', `CloudAccounts/${intgGuid}`, awsCfg('333333333333', 'put'));
    expect([replaced.status, replaced.body.data.name]).toEqual([200, 'put']);
    const invalid = await request('PUT', `CloudAccounts/${intgGuid}`, {
      ...awsCfg('333333333333'),
      type: 'AwsCtSqs',
    });
    expect([invalid.status, invalid.body.message]).toEqual([400, expect.stringContaining('AwsCfg')]);
  });

  test('keeps concurrent updates of different members', async () => {
    const { body } = await request('POST', 'CloudAccounts', awsCfg('444444444444'));
    const path = `CloudAccounts/${body.data.intgGuid}`;
    await Promise.all([
      request('PATCH', path, { name: 'named' }),
      request('PATCH', path, { enabled: 0 }),
      request('PATCH', path, { data: { crossAccountCredentials: role('555555555555') } }),
    ]);
    const { data } = (await request('GET', path)).body;
    expect([data.name, data.enabled, data.data.awsAccountId]).toEqual(['named', 0, '555555555555']);
  });

  test('keeps the members of props that an update omits', async () => {
    const dspm = { scanIntervalHours: 24, datastoreFilters: { filterMode: 'ALL', datastoreNames: null } };
    const { body } = await request('POST', 'CloudAccounts', {
      ...{ name: 'scanner', type: 'AwsDspm', enabled: 1, data: { crossAccountCredentials: {} } },
      props: { dspm },
    });
    const stored = { scanIntervalHours: 24, datastoreFilters: { filterMode: 'ALL' } };
    expect(body.data.props).toEqual({ dspm: stored });
    const path = `CloudAccounts/${body.data.intgGuid}`;
    await Promise.all(
      [{ one: 1 }, { two: 2 }, { dspm: null }].map((props) => request('PATCH', path, { props })),
    );
    expect((await request('GET', path)).body.data.props).toEqual({ dspm: stored, one: 1, two: 2 });
    const replaced = await request('PATCH', path, { props: { dspm: { scanIntervalHours: 12 } } });
    expect(replaced.body.data.props).toEqual({ dspm: { scanIntervalHours: 12 }, one: 1, two: 2 });
  });

  test.each([
    [{}, 'name'],
    [{ ...awsCfg('1'), name: '   ' }, 'name'],
    [{ ...awsCfg('1'), enabled: true }, 'enabled'],
    [{ ...awsCfg('1'), enabled: 2 }, 'enabled'],
    [{ ...awsCfg('1'), type: 'Nothing' }, 'AwsCfg'],
    [{ ...awsCfg('1'), data: 'x' }, 'data'],
    [
      { ...awsCfg('1'), data: { crossAccountCredentials: { externalId: 'x' } } },
      'data.crossAccountCredentials.roleArn',
    ],
    [
      { ...awsCfg('1'), data: { crossAccountCredentials: { roleArn: 7, externalId: 'x' } } },
      'data.crossAccountCredentials.roleArn',
    ],
  ])('rejects %j, naming the member', async (body, expectedName) => {
    const response = await request('POST', 'CloudAccounts', body);
    expect(response.status).toBe(400);
    expect(response.body.message).toContain(expectedName);
  });

  test('has an audit entry with the changed members, without values', async () => {
    const { body } = await request('POST', 'CloudAccounts', awsCfg('666666666666', 'audited'));
    await request('PATCH', `CloudAccounts/${body.data.intgGuid}`, {
      name: 'renamed',
      data: { crossAccountCredentials: role('777777777777') },
    });
    const { body: log } = await request('POST', 'AuditLogs/search', {
      filters: [{ field: 'eventDescription', expression: 'like', value: `%${body.data.intgGuid}%` }],
    });
    expect(log.data.map((entry: { eventName: string }) => entry.eventName).sort()).toEqual([
      'Cloud Account Created',
      'Cloud Account Updated',
    ]);
    const updated = log.data.find(
      (entry: { eventName: string }) => entry.eventName === 'Cloud Account Updated',
    );
    expect(updated.eventDescription).toContain("'renamed'");
    expect(updated.eventDescription).toMatch(/: name, data\.crossAccountCredentials, data\.awsAccountId$/);
  });

  test('is searchable by the values that GET returns, without a time range', async () => {
    service.clock.advance(1000);
    const find = async (field: string, expression: string, value: string, returns?: string[]) =>
      (await request('POST', 'CloudAccounts/search', { filters: [{ field, expression, value }], returns }))
        .body;
    const { data } = await find('data.awsAccountId', 'eq', '111111111111', ['intgGuid', 'type']);
    expect(data).toEqual([{ intgGuid: expect.any(String), type: 'AwsCfg' }]);
    expect((await find('name', 'ilike', 'PRODUCTION')).data.length).toBeGreaterThan(0);
    expect((await find('data.credentials.clientSecret', 'eq', 'canary')).data).toEqual([]);
    expect((await find('nothing', 'eq', 'x')).message).toContain("Invalid field 'nothing'");
  });
});
