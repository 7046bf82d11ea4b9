import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeOwner } from '../../control/purge.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

const family = 'ResourceGroups';
const organization = { 'Org-Access': 'true' };
const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const query = (...values: string[]) => ({
  filters: { Filter_One: { field: 'Account', operation: 'STARTS_WITH', values } },
  expression: { operator: 'AND', children: [{ filterName: 'Filter_One' }] },
});
const newer = (name: string, rest: object = {}) => ({
  ...{ name, resourceType: 'AWS', enabled: 1, query: query('1'), ...rest },
});
const older = (resourceName: string, props: object = { accountIds: ['1'] }) => ({
  ...{ resourceName, resourceType: 'AWS', enabled: 1, props },
});
const createGroup = async (body: object) => (await request('POST', family, body)).body.data;
const start = '2026-03-01T12:00:00.000Z';

describe('a resource group', () => {
  test('accepts null for omitted members, on creation and update', async () => {
    const nulls = { description: null, enabled: null, props: null, resourceName: null };
    const created = await createGroup({ name: 'nulls', query: query('1'), resourceType: null, ...nulls });
    expect(created).toMatchObject({ name: 'nulls', resourceType: 'AWS', enabled: 1, description: '' });
    const { status, body } = await request('PATCH', `${family}/${created.resourceGroupGuid}`, {
      ...{ name: null, query: null, resourceType: null, ...nulls },
    });
    expect([status, body.data]).toEqual([200, created]);
  });

  test('in the newer format is returned with both sets of names', async () => {
    const created = await request('POST', family, newer('production', { description: 'ours' }));
    expect(created.status).toBe(201);
    const { resourceGroupGuid } = created.body.data;
    expect(resourceGroupGuid).toMatch(/^LOCAL_[A-Z0-9]{47}$/);
    expect(created.body.data).toEqual({
      ...{ resourceGroupGuid, resourceGuid: resourceGroupGuid, guid: resourceGroupGuid },
      ...{ name: 'production', resourceName: 'production', resourceType: 'AWS', description: 'ours' },
      ...{ enabled: 1, isDefaultBoolean: false, isDefault: 0, isOrg: 0, query: query('1') },
      ...{ createdTime: start, createdBy: 'admin@local', updatedTime: start, updatedBy: 'admin@local' },
    });
    const read = await request('GET', `${family}/${resourceGroupGuid}`);
    expect([read.status, read.body]).toEqual([200, created.body]);
  });

  test('accepts ids as numbers, as one client sends them, and returns strings', async () => {
    const data = await createGroup(older('numbers', { accountIds: [123456789012, '2'] }));
    expect(data.props.accountIds).toEqual(['123456789012', '2']);
    expect(data.query.filters.accountIds.values).toEqual(['123456789012', '2']);
  });

  test('in the older format is returned in it, and as the equivalent query', async () => {
    const data = await createGroup(
      older('older', { accountIds: ['1', '2'], description: 'ours', other: [1] }),
    );
    expect(data).toMatchObject({ name: 'older', resourceName: 'older', description: 'ours', isDefault: 0 });
    expect(data.props).toEqual({
      ...{ accountIds: ['1', '2'], description: 'ours', other: [1] },
      ...{ updatedBy: 'admin@local', lastUpdated: Date.parse(start) },
    });
    expect(data.query).toEqual({
      filters: { accountIds: { field: 'Account', operation: 'EQUALS', values: ['1', '2'] } },
      expression: { operator: 'OR', children: [{ filterName: 'accountIds' }] },
    });
  });

  test('is of type AWS and enabled by default', async () => {
    const data = await createGroup({ resourceName: 'short', props: { accountIds: ['1'] } });
    expect(data).toMatchObject({ resourceType: 'AWS', enabled: 1, description: '' });
  });

  test.each([
    [{ ...newer('x'), name: undefined }, 'name is required'],
    [newer(' '), 'name'],
    [older('  '), 'resourceName'],
    [{ ...newer('x'), query: undefined }, 'query is required'],
    [newer('x', { query: null, props: null }), 'query is required'],
    [
      newer('x', { resourceType: 'SPACE' }),
      'AWS, AZURE, GCP, OCI, CONTAINER, MACHINE, KUBERNETES, LW_ACCOUNT',
    ],
    [newer('x', { enabled: 2 }), 'enabled'],
    [newer('x', { enabled: true }), 'enabled'],
    [newer('x', { query: {} }), 'query.filters is required'],
    [newer('x', { query: query() }), 'query.filters.Filter_One.values must not be empty'],
    [newer('x', { resourceType: 'MACHINE' }), 'query.filters.Filter_One.field must be one of Machine Tag'],
    [
      newer('x', { query: { ...query('1'), expression: { operator: 'NOT', children: [] } } }),
      'query.expression.operator must be one of AND, OR',
    ],
    [
      newer('x', { query: { ...query('1'), filters: {} } }),
      "query.expression.children[0].filterName 'Filter_One' is not in query.filters",
    ],
    [older('x', {}), 'accountIds'],
    [older('x', { accountIds: ['1'], description: 7 }), 'props.description'],
  ])('is rejected with 400 and the name of the member: %#', async (body, expectedName) => {
    const response = await request('POST', family, body);
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(response.body.message).toContain(expectedName);
  });

  test('of accounts is allowed in the organization only', async () => {
    const body = { resourceName: 'ours', resourceType: 'LW_ACCOUNT', props: { lwAccounts: ['local'] } };
    const rejected = await request('POST', family, body);
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining('Org-Access')]);
    const created = await request('POST', family, body, organization);
    expect(created.body.data.isOrg).toBe(1);
    expect([created.status, created.body.data.resourceType]).toEqual([201, 'LW_ACCOUNT']);
    const { guid } = created.body.data;
    const fromAccount = await request('GET', `${family}/${guid}`);
    expect([fromAccount.status, fromAccount.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not found: resource group '.+'\.$/),
    ]);
    expect((await request('GET', `${family}/${guid}`, undefined, organization)).body).toEqual(created.body);
  });

  test('keeps omitted members, and records the time of the update', async () => {
    const created = await createGroup(older('kept', { accountIds: ['1'], description: 'ours' }));
    service.clock.advance(1_000);
    const disabled = await request('PATCH', `${family}/${created.guid}`, { enabled: 0, resourceType: '' });
    const updatedTime = '2026-03-01T12:00:01.000Z';
    expect(disabled.status).toBe(200);
    expect(disabled.body.data).toEqual({
      ...{ ...created, enabled: 0, updatedTime },
      props: { ...created.props, lastUpdated: Date.parse(updatedTime) },
    });
    const other = await request('PATCH', `${family}/${created.guid}`, { resourceType: 'GCP' });
    expect([other.status, other.body.message]).toEqual([
      400,
      expect.stringContaining('can not change from AWS'),
    ]);
  });

  test('has its resources replaced by the query or props of an update', async () => {
    const { guid, query: equivalent } = await createGroup(older('replaced'));
    const change = async (body: object) => (await request('PATCH', `${family}/${guid}`, body)).body.data;
    const other = await change({ props: { accountIds: ['2'] } });
    expect(other.props.accountIds).toEqual(['2']);
    expect(other.query.filters.accountIds.values).toEqual(['2']);
    const withQuery = await change({ query: query('3') });
    expect(withQuery.query).toEqual(query('3'));
    expect(withQuery).not.toHaveProperty('props');
    const reverted = await change({ props: { accountIds: ['1'] } });
    expect(reverted.query).toEqual(equivalent);
    const invalid = await request('PATCH', `${family}/${guid}`, { query: { ...query('1'), filters: {} } });
    expect([invalid.status, invalid.body.message]).toEqual([400, expect.stringContaining('Filter_One')]);
  });

  test('accepts its record with a change under either name', async () => {
    const created = await createGroup(older('read'));
    const change = async (body: object) =>
      (await request('PATCH', `${family}/${created.guid}`, body)).body.data;
    expect((await change(created)).props.accountIds).toEqual(['1']);
    expect((await change({ ...created, name: 'newer' })).resourceName).toBe('newer');
    expect((await change({ ...created, name: 'newer', resourceName: 'older' })).name).toBe('older');
    const extended = await change({
      ...created,
      props: { ...created.props, accountIds: ['7'], description: 'said' },
    });
    expect([extended.query.filters.accountIds.values, extended.description]).toEqual([['7'], 'said']);
    const { props, ...withoutProps } = extended;
    expect((await change({ ...withoutProps, enabled: 0 })).props.accountIds).toEqual(['7']);
  });

  test('can be created again from its record, in both formats', async () => {
    for (const body of [newer('again'), older('again', { accountIds: ['1'], description: 'ours' })]) {
      const created = await createGroup(body);
      await request('DELETE', `${family}/${created.guid}`);
      const { resourceGroupGuid, resourceGuid, guid, ...rest } = await createGroup(created);
      expect(rest).toEqual({
        ...created,
        resourceGroupGuid: undefined,
        resourceGuid: undefined,
        guid: undefined,
      });
      expect(guid).not.toBe(created.guid);
    }
    const withBoth = await createGroup({ ...newer('both'), props: { accountIds: ['7'] } });
    expect(withBoth.query).toEqual(query('1'));
    expect(withBoth).not.toHaveProperty('props');
  });

  test('keeps concurrent updates of different members', async () => {
    const { guid } = await createGroup(newer('shared'));
    await Promise.all([
      request('PATCH', `${family}/${guid}`, { name: 'named' }),
      request('PATCH', `${family}/${guid}`, { enabled: 0 }),
      request('PATCH', `${family}/${guid}`, { query: query('9') }),
    ]);
    const { data } = (await request('GET', `${family}/${guid}`)).body;
    expect(data).toMatchObject({ name: 'named', enabled: 0, query: query('9') });
  });

  test('does not exist after DELETE', async () => {
    const { guid } = await createGroup(newer('gone'));
    const removed = await request('DELETE', `${family}/${guid}`);
    expect([removed.status, removed.text]).toEqual([204, '']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await request(method, `${family}/${guid}`, method === 'PATCH' ? {} : undefined);
      expect([response.status, response.body.message], method).toEqual([
        404,
        expect.stringMatching(/^Not found: resource group '.+'\.$/),
      ]);
    }
  });

  test('is searchable by its members under both sets of names, without a time range', async () => {
    const { guid } = await createGroup(newer('sought', { query: query('sought account') }));
    const find = async (field: string, expression: string, value: unknown) =>
      (
        await request('POST', `${family}/search`, {
          filters: [{ field, expression, value }],
          returns: ['resourceGuid', 'name'],
        })
      ).body;
    const expected = { data: [{ resourceGuid: guid, name: 'sought' }] };
    expect(await find('name', 'eq', 'sought')).toEqual(expected);
    expect(await find('resourceName', 'ilike', 'SOUGHT')).toEqual(expected);
    expect(await find('guid', 'eq', guid)).toEqual(expected);
    expect(await find('query.filters.Filter_One.values', 'eq', 'sought account')).toEqual(expected);
    expect((await find('isDefaultBoolean', 'eq', 'true')).data).toHaveLength(7);
    expect((await find('isDefault', 'eq', 1)).data).toHaveLength(7);
    expect((await find('createdTime', 'lt', '2026-03-01')).data).toEqual([]);
    expect((await find('nothing', 'eq', 'x')).message).toContain("Invalid field 'nothing'");
  });

  test('has audit entries with its name and the changed members', async () => {
    const { guid } = await createGroup(newer('audited'));
    await request('PATCH', `${family}/${guid}`, { name: 'renamed', query: query('secret place') });
    await request('DELETE', `${family}/${guid}`);
    const { body, text } = await request('POST', 'AuditLogs/search', {
      filters: [{ field: 'eventDescription', expression: 'like', value: `%${guid}%` }],
    });
    const auditEntries = body.data.map((entry: { eventName: string; eventDescription: string }) => [
      ...[entry.eventName, entry.eventDescription.split(': ').slice(1).join(': ')],
    ]);
    expect(auditEntries).toHaveLength(3);
    expect(auditEntries).toContainEqual(['Resource Group Created', `AWS 'audited' (${guid})`]);
    expect(auditEntries).toContainEqual([
      'Resource Group Updated',
      `AWS 'renamed' (${guid}): name, query.filters`,
    ]);
    expect(auditEntries).toContainEqual(['Resource Group Deleted', `AWS 'renamed' (${guid})`]);
    expect(text).not.toContain('secret place');
  });
});

describe('the default groups', () => {
  const defaultsIn = async (headers: Record<string, string>) => {
    const { data } = (await request('GET', family, undefined, headers)).body;
    return data.filter((group: { isDefaultBoolean: boolean }) => group.isDefaultBoolean);
  };

  test('exist for every account and the organization, one for each type, and contain all resources', async () => {
    await service.accounts.create('another');
    for (const headers of [{}, { 'Account-Name': 'another' }, organization]) {
      const groups = await defaultsIn(headers as Record<string, string>);
      expect(groups).toHaveLength(headers === organization ? 8 : 7);
      const aws = groups.find((group: { name: string }) => group.name === 'All AWS Resources');
      expect(aws).toMatchObject({ resourceType: 'AWS', enabled: 1, isDefault: 1, isDefaultBoolean: true });
      expect(Object.values(aws.query.filters)).toEqual([
        { field: 'Account', operation: 'EQUALS', values: ['*'] },
      ]);
      expect([typeof aws.createdTime, typeof aws.updatedTime]).toEqual(['string', 'string']);
    }
  });

  test('cannot be updated or deleted: 409', async () => {
    const before = await defaultsIn({});
    for (const { guid, name } of before) {
      for (const method of ['PATCH', 'DELETE']) {
        const response = await request(
          method,
          `${family}/${guid}`,
          method === 'PATCH' ? { enabled: 0 } : undefined,
        );
        expect([response.status, response.body.code], name).toEqual([409, 'CONFLICT']);
        expect(response.body.message).toContain(`'${name}' is a default group`);
      }
    }
    expect(await defaultsIn({})).toEqual(before);
  });

  test('can be copied from their records, in the newer format', async () => {
    const [first] = await defaultsIn({});
    const created = await request('POST', family, { ...first, name: 'copy' });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ name: 'copy', isDefault: 0, query: first.query });
    expect(created.body.data.guid).not.toBe(first.guid);
    await request('DELETE', `${family}/${created.body.data.guid}`);
  });

  test('are deleted with their account', async () => {
    const { id } = await service.accounts.create('leaving');
    const remaining = () =>
      service.store.read.selectFrom('resource_groups').select('id').where('owner_id', '=', id).execute();
    expect(await remaining()).toHaveLength(7);
    await service.accounts.delete('leaving');
    await purgeOwner(service.store, id);
    expect(await remaining()).toEqual([]);
  });
});
