import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  await request('POST', 'Queries', {
    queryId: 'Q_buckets',
    queryText: '{ source { LW_CFG_AWS_S3 } return { ARN } }',
  });
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const builtIn = 'lacework-global-2';
const minimalPolicy = {
  ...{ queryId: 'Q_buckets', title: 'Buckets', description: '', remediation: '' },
  ...{ severity: 'high', enabled: true, alertEnabled: true },
};
const create = async (rest: object = {}) => {
  const created = await request('POST', 'Policies', { ...minimalPolicy, ...rest });
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  return created.body.data;
};
const now = () => new Date(service.clock.now()).toISOString();

describe('a policy', () => {
  test('is returned completely, with defaults for omitted members', async () => {
    const created = await create();
    expect(created).toEqual({
      ...minimalPolicy,
      policyId: expect.stringMatching(/^local-default-\d+$/),
      policyType: 'Violation',
      limit: 1000,
      evalFrequency: 'Hourly',
      alertProfile: '',
      tags: [],
      exceptionConfiguration: {
        constraintFields: [
          { fieldKey: 'accountIds', dataType: 'String', multiValue: true },
          { fieldKey: 'arns', dataType: 'String', multiValue: true },
          { fieldKey: 'regionNames', dataType: 'String', multiValue: true },
          { fieldKey: 'resourceNames', dataType: 'String', multiValue: true },
          { fieldKey: 'resourceTags', dataType: 'KVTagPair', multiValue: true },
        ],
      },
      owner: 'admin@local',
      lastUpdateTime: now(),
      lastUpdateUser: 'admin@local',
    });
    const full = {
      ...minimalPolicy,
      policyType: 'Compliance',
      title: ' not trimmed ',
      description: 'one\n',
      remediation: '\ttwo ',
      limit: 5000,
      evalFrequency: 'Daily',
      alertProfile: 'LW_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_Violation',
      tags: ['domain:AWS', 'mine'],
      evaluatorId: 'Cloudtrail',
    };
    const second = await create(full);
    expect(second).toMatchObject(full);
    expect((await request('GET', `Policies/${second.policyId}`)).body).toEqual({ data: second });
    const list = (await request('GET', 'Policies')).body.data;
    expect(list).toContainEqual(created);
    expect(list).toContainEqual(second);
  });

  test('accepts the severity in any case, and the empty values that clients send', async () => {
    const created = await create({
      ...{
        severity: 'Medium',
        policyType: '',
        evalFrequency: '',
        alertProfile: null,
        tags: null,
        limit: null,
      },
      ...{ policyId: '', policyUi: { x: 1 } },
    });
    expect(created).toMatchObject({
      severity: 'medium',
      policyType: 'Violation',
      evalFrequency: 'Hourly',
      tags: [],
    });
  });

  test('of type Manual requires no query; other types do', async () => {
    const created = await create({ policyType: 'Manual', queryId: '' });
    expect(created).toMatchObject({ policyType: 'Manual', queryId: '' });
    expect(created.exceptionConfiguration).toEqual({ constraintFields: [] });
    const rejected = await request('POST', 'Policies', { ...minimalPolicy, queryId: '' });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      'queryId is required for a Violation policy: set it to the query that finds violations.',
    ]);
  });

  test.each([
    [{ severity: 'dire' }, "severity must be one of critical, high, medium, low, info, not 'dire'."],
    [{ severity: '' }, 'severity must be one of'],
    [{ queryId: 'Q_none' }, "queryId 'Q_none' does not exist"],
    [{ alertProfile: 'LW_Nothing' }, "alertProfile 'LW_Nothing'"],
    [{ alertProfile: 'LW_CloudTrail_Alerts.Nothing' }, "alertProfile 'LW_CloudTrail_Alerts.Nothing'"],
    [{ limit: 0 }, 'limit'],
    [{ limit: 5001 }, 'limit'],
    [{ limit: '10' }, 'limit'],
    [{ enabled: 1 }, 'enabled'],
    [{ alertEnabled: undefined }, 'alertEnabled is required'],
    [{ title: ' ' }, 'title'],
    [{ policyType: 'violation' }, 'policyType'],
    [{ evalFrequency: 'Weekly' }, 'evalFrequency'],
    [{ tags: ['a', 7] }, 'tags[1]'],
  ])('is rejected with %j', async (invalid, message) => {
    const response = await request('POST', 'Policies', { ...minimalPolicy, ...invalid });
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('can be created again from its record', async () => {
    for (const policyId of [undefined, '$account-again-1']) {
      const created = await create({ policyId, tags: ['x'] });
      expect((await request('DELETE', `Policies/${created.policyId}`)).status).toBe(204);
      expect((await request('GET', `Policies/${created.policyId}`)).status).toBe(404);
      const again = await request('POST', 'Policies', created);
      expect([again.status, again.body.data]).toEqual([201, created]);
    }
  });

  test('is updated member by member; an empty array clears the tags', async () => {
    const created = await create({ tags: ['a'], alertProfile: 'LW_CloudTrail_Alerts' });
    service.clock.advance(1_000);
    const path = `Policies/${created.policyId}`;
    const changed = await request('PATCH', path, {
      ...{ severity: 'LOW', enabled: false, title: null, queryId: '', policyId: 'other', policyType: '' },
    });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { ...created, severity: 'low', enabled: false, lastUpdateTime: now() },
    ]);
    const cleared = await request('PATCH', path, { tags: [], alertProfile: '' });
    expect(cleared.body.data).toMatchObject({ tags: [], alertProfile: '' });
    const rejected = await request('PATCH', path, { queryId: 'Q_none' });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      expect.stringContaining("queryId 'Q_none'"),
    ]);
    const manual = await create({ policyType: 'Manual', queryId: '' });
    const withoutQuery = await request('PATCH', `Policies/${manual.policyId}`, { policyType: 'Compliance' });
    expect([withoutQuery.status, withoutQuery.body.message]).toEqual([
      400,
      expect.stringContaining('queryId is required'),
    ]);
  });

  test('keeps concurrent updates of different members', async () => {
    const { policyId } = await create();
    const changes = [
      ...[{ title: 't' }, { description: 'd' }, { remediation: 'r' }, { severity: 'info' }],
      ...[{ enabled: false }, { alertEnabled: false }, { limit: 7 }, { tags: ['z'] }],
    ];
    const responses = await Promise.all(
      changes.map((body) => request('PATCH', `Policies/${policyId}`, body)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await request('GET', `Policies/${policyId}`)).body.data).toMatchObject(
      Object.assign({}, ...changes),
    );
  });

  test('is in the audit log with the changed members', async () => {
    const { policyId } = await create({ policyId: 'audited' });
    await request('PATCH', `Policies/${policyId}`, { severity: 'low', tags: ['b'] });
    await request('PATCH', 'Policies', [{ policyId, enabled: false }]);
    await request('DELETE', `Policies/${policyId}`);
    const { data } = (await request('GET', 'AuditLogs')).body;
    const entries = data.map(({ eventDescription }: { eventDescription: string }) => eventDescription);
    for (const entry of [
      "Policy Created by admin@local: local-audited 'Buckets'",
      "Policy Updated by admin@local: local-audited 'Buckets': severity, tags",
      "Policies Updated by admin@local: local-audited 'Buckets': enabled",
      "Policy Deleted by admin@local: local-audited 'Buckets' with its exceptions",
    ]) {
      expect(entries).toContain(entry);
    }
  });
});

describe('built-in policies', () => {
  test('exist from the start, in the format that clients decode', async () => {
    const { data } = (await request('GET', 'Policies')).body;
    const shipped = data.filter(({ owner }: { owner: string }) => owner === 'Lacework');
    const ids = shipped.map(({ policyId }: { policyId: string }) => policyId);
    for (const number of [1, 2, 8, 10, 24, 31, 34, 39, 42, 46, 73, 100, 218]) {
      expect(ids).toContain(`lacework-global-${number}`);
    }
    expect((await request('GET', 'Policies/lacework-global-8')).body.data.severity).toBe('critical');
    const one = (await request('GET', `Policies/${builtIn}`)).body.data;
    expect(one).toMatchObject({ enabled: true, alertEnabled: true, owner: 'Lacework', limit: 1000 });
    expect(shipped).toContainEqual(one);
  });

  test('can be disabled, muted and changed in severity, and cannot be deleted', async () => {
    await service.accounts.create('second');
    const path = 'Policies/lacework-global-100';
    const before = (await request('GET', path)).body.data;
    const changed = await request('PATCH', path, {
      enabled: false,
      alertEnabled: false,
      severity: 'Low',
      tags: [],
    });
    const expected = { ...before, enabled: false, alertEnabled: false, severity: 'low' };
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { ...expected, lastUpdateTime: now(), lastUpdateUser: 'admin@local' },
    ]);
    expect((await request('GET', path)).body).toEqual(changed.body);
    expect((await request('GET', path, undefined, { 'Account-Name': 'second' })).body.data).toEqual(before);
    const repeated = await request('PATCH', path, { ...before, severity: 'info' });
    expect(repeated.body.data.severity).toBe('info');
    const rejected = await request('PATCH', path, { title: 'Mine' });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      'title of lacework-global-100 can not be changed: built-in policies only allow changes to enabled, alertEnabled and severity.',
    ]);
    const rejectedDeletion = await request('DELETE', path);
    expect([rejectedDeletion.status, rejectedDeletion.body.message]).toEqual([
      409,
      'lacework-global-100 is built in and can not be deleted: disable it instead.',
    ]);
  });

  test('keep concurrent updates', async () => {
    const path = 'Policies/lacework-global-42';
    await Promise.all(
      [{ enabled: false }, { alertEnabled: false }, { severity: 'low' }].map((body) =>
        request('PATCH', path, body),
      ),
    );
    const updated = (await request('GET', path)).body.data;
    expect(updated).toMatchObject({ enabled: false, alertEnabled: false, severity: 'low' });
  });
});

describe('several policies at once', () => {
  test('are updated together, built-in or not, and returned in the order of the request', async () => {
    const { policyId } = await create({ policyId: 'bulk-1' });
    const response = await request('PATCH', 'Policies', [
      { policyId: '$account-bulk-1', enabled: false, severity: 'Critical' },
      { policyId: 'lacework-global-10', enabled: false },
      { policyId: 'lacework-global-24', severity: 'info' },
    ]);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject([
      { policyId, enabled: false, severity: 'critical', title: 'Buckets', lastUpdateTime: now() },
      { policyId: 'lacework-global-10', enabled: false },
      { policyId: 'lacework-global-24', enabled: true, severity: 'info' },
    ]);
    for (const record of response.body.data) {
      expect((await request('GET', `Policies/${record.policyId}`)).body.data).toEqual(record);
    }
  });

  test('remain unchanged if one of them cannot be updated', async () => {
    const { policyId } = await create();
    for (const [invalid, status, message] of [
      [{ policyId: 'local-none', enabled: false }, 404, "Not found: policy 'local-none'."],
      [{ policyId: builtIn, severity: 'dire' }, 400, 'severity must be one of'],
    ] as const) {
      const response = await request('PATCH', 'Policies', [{ policyId, enabled: false }, invalid]);
      expect([response.status, response.body.message]).toEqual([status, expect.stringContaining(message)]);
      expect((await request('GET', `Policies/${policyId}`)).body.data.enabled).toBe(true);
    }
    for (const body of [[], {}, [{}], [{ policyId: 7 }]]) {
      expect((await request('PATCH', 'Policies', body)).status).toBe(400);
    }
  });
});

describe('finding policies', () => {
  test('by tag, with distinct tags', async () => {
    await create({ tags: ['zebra', 'domain:AWS'] });
    const { data } = (await request('GET', 'Policies/Tags')).body;
    expect(data).toEqual([...new Set(data)].sort());
    expect(data).toEqual(expect.arrayContaining(['zebra', 'domain:AWS', 'security:compliance']));
  });

  test('by a search over built-in and custom policies', async () => {
    const { policyId } = await create({
      policyId: 'needle',
      tags: ['hay', 'stack'],
      limit: 77,
      severity: 'info',
    });
    const search = async (...filters: object[]) => {
      const { body } = await request('POST', 'Policies/search', { filters, returns: ['policyId'] });
      return body.data.map((match: { policyId: string }) => match.policyId);
    };
    const eq = (field: string, value: unknown) => ({ field, expression: 'eq', value });
    expect(await search(eq('limit', '77'), eq('enabled', 'true'), eq('severity', 'info'))).toEqual([
      policyId,
    ]);
    expect(await search(eq('tags', 'stack'))).toEqual([policyId]);
    expect(await search(eq('policyId', builtIn))).toEqual([builtIn]);
    expect(
      await search({
        field: 'policyId',
        expression: 'in',
        values: [policyId, 'lacework-global-218', builtIn],
      }),
    ).toEqual([builtIn, 'lacework-global-218', policyId]);
    expect(await search({ field: 'title', expression: 'ilike', value: 'root user%' })).toContain(builtIn);
    expect(await search(eq('exceptionConfiguration.constraintFields[0].fieldKey', 'accountIds'))).toContain(
      policyId,
    );
    const after = { field: 'lastUpdateTime', expression: 'ge', value: now() };
    expect(await search(after, eq('policyId', policyId))).toEqual([policyId]);
    const rejected = await request('POST', 'Policies/search', { filters: [eq('mood', 'good')] });
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('Invalid field')]);
  });
});
