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
  service.ask(method, `/api/v2/${path}`, { token, body, headers });
const query = (...values: string[]) => ({
  filters: { Filter_One: { field: 'Account', operation: 'STARTS_WITH', values } },
  expression: { operator: 'AND', children: [{ filterName: 'Filter_One' }] },
});
const newer = (name: string, more: object = {}) => ({
  ...{ name, resourceType: 'AWS', enabled: 1, query: query('1'), ...more },
});
const older = (resourceName: string, props: object = { accountIds: ['1'] }) => ({
  ...{ resourceName, resourceType: 'AWS', enabled: 1, props },
});
const make = async (body: object) => (await request('POST', family, body)).body.data;
const start = '2026-03-01T12:00:00.000Z';

describe('a resource group', () => {
  test('accepts null for omitted members, on creation and update', async () => {
    const nothing = { description: null, enabled: null, props: null, resourceName: null };
    const made = await make({ name: 'nulls', query: query('1'), resourceType: null, ...nothing });
    expect(made).toMatchObject({ name: 'nulls', resourceType: 'AWS', enabled: 1, description: '' });
    const { status, body } = await request('PATCH', `${family}/${made.resourceGroupGuid}`, {
      ...{ name: null, query: null, resourceType: null, ...nothing },
    });
    expect([status, body.data]).toEqual([200, made]);
  });

  test('in the newer format is returned with both sets of names', async () => {
    const made = await request('POST', family, newer('production', { description: 'ours' }));
    expect(made.status).toBe(201);
    const { resourceGroupGuid } = made.body.data;
    expect(resourceGroupGuid).toMatch(/^LOCAL_[A-Z0-9]{47}$/);
    expect(made.body.data).toEqual({
      ...{ resourceGroupGuid, resourceGuid: resourceGroupGuid, guid: resourceGroupGuid },
      ...{ name: 'production', resourceName: 'production', resourceType: 'AWS', description: 'ours' },
      ...{ enabled: 1, isDefaultBoolean: false, isDefault: 0, isOrg: 0, query: query('1') },
      ...{ createdTime: start, createdBy: 'admin@local', updatedTime: start, updatedBy: 'admin@local' },
    });
    const read = await request('GET', `${family}/${resourceGroupGuid}`);
    expect([read.status, read.body]).toEqual([200, made.body]);
  });

  test('accepts ids as numbers, as one client sends them, and returns strings', async () => {
    const data = await make(older('numbers', { accountIds: [123456789012, '2'] }));
    expect(data.props.accountIds).toEqual(['123456789012', '2']);
    expect(data.query.filters.accountIds.values).toEqual(['123456789012', '2']);
  });

  test('in the older format is returned in it, and as the equivalent query', async () => {
    const data = await make(older('older', { accountIds: ['1', '2'], description: 'ours', other: [1] }));
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
    const data = await make({ resourceName: 'short', props: { accountIds: ['1'] } });
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
  ])('is rejected with 400 and the name of the member: %#', async (body, named) => {
    const response = await request('POST', family, body);
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect(response.body.message).toContain(named);
  });

  test('of accounts is allowed in the organization only', async () => {
    const body = { resourceName: 'ours', resourceType: 'LW_ACCOUNT', props: { lwAccounts: ['local'] } };
    const refused = await request('POST', family, body);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('Org-Access')]);
    const made = await request('POST', family, body, organization);
    expect(made.body.data.isOrg).toBe(1);
    expect([made.status, made.body.data.resourceType]).toEqual([201, 'LW_ACCOUNT']);
    const { guid } = made.body.data;
    const elsewhere = await request('GET', `${family}/${guid}`);
    expect([elsewhere.status, elsewhere.body.message]).toEqual([
      404,
      expect.stringMatching(/^Not found: resource group '.+'\.$/),
    ]);
    expect((await request('GET', `${family}/${guid}`, undefined, organization)).body).toEqual(made.body);
  });

  test('keeps omitted members, and records the time of the update', async () => {
    const made = await make(older('kept', { accountIds: ['1'], description: 'ours' }));
    service.clock.advance(1_000);
    const disabled = await request('PATCH', `${family}/${made.guid}`, { enabled: 0, resourceType: '' });
    const updatedTime = '2026-03-01T12:00:01.000Z';
    expect(disabled.status).toBe(200);
    expect(disabled.body.data).toEqual({
      ...{ ...made, enabled: 0, updatedTime },
      props: { ...made.props, lastUpdated: Date.parse(updatedTime) },
    });
    const other = await request('PATCH', `${family}/${made.guid}`, { resourceType: 'GCP' });
    expect([other.status, other.body.message]).toEqual([
      400,
      expect.stringContaining('can not change from AWS'),
    ]);
  });

  test('has its resources replaced by the query or props of an update', async () => {
    const { guid, query: meant } = await make(older('replaced'));
    const change = async (body: object) => (await request('PATCH', `${family}/${guid}`, body)).body.data;
    const other = await change({ props: { accountIds: ['2'] } });
    expect(other.props.accountIds).toEqual(['2']);
    expect(other.query.filters.accountIds.values).toEqual(['2']);
    const newly = await change({ query: query('3') });
    expect(newly.query).toEqual(query('3'));
    expect(newly).not.toHaveProperty('props');
    const back = await change({ props: { accountIds: ['1'] } });
    expect(back.query).toEqual(meant);
    const wrong = await request('PATCH', `${family}/${guid}`, { query: { ...query('1'), filters: {} } });
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('Filter_One')]);
  });

  test('accepts its record with a change under either name', async () => {
    const made = await make(older('read'));
    const change = async (body: object) => (await request('PATCH', `${family}/${made.guid}`, body)).body.data;
    expect((await change(made)).props.accountIds).toEqual(['1']);
    expect((await change({ ...made, name: 'newer' })).resourceName).toBe('newer');
    expect((await change({ ...made, name: 'newer', resourceName: 'older' })).name).toBe('older');
    const more = await change({ ...made, props: { ...made.props, accountIds: ['7'], description: 'said' } });
    expect([more.query.filters.accountIds.values, more.description]).toEqual([['7'], 'said']);
    const { props, ...withoutProps } = more;
    expect((await change({ ...withoutProps, enabled: 0 })).props.accountIds).toEqual(['7']);
  });

  test('can be created again from its record, in both formats', async () => {
    for (const body of [newer('again'), older('again', { accountIds: ['1'], description: 'ours' })]) {
      const made = await make(body);
      await request('DELETE', `${family}/${made.guid}`);
      const { resourceGroupGuid, resourceGuid, guid, ...rest } = await make(made);
      expect(rest).toEqual({
        ...made,
        resourceGroupGuid: undefined,
        resourceGuid: undefined,
        guid: undefined,
      });
      expect(guid).not.toBe(made.guid);
    }
    const contradicting = await make({ ...newer('both'), props: { accountIds: ['7'] } });
    expect(contradicting.query).toEqual(query('1'));
    expect(contradicting).not.toHaveProperty('props');
  });

  test('keeps concurrent updates of different members', async () => {
    const { guid } = await make(newer('shared'));
    await Promise.all([
      request('PATCH', `${family}/${guid}`, { name: 'named' }),
      request('PATCH', `${family}/${guid}`, { enabled: 0 }),
      request('PATCH', `${family}/${guid}`, { query: query('9') }),
    ]);
    const { data } = (await request('GET', `${family}/${guid}`)).body;
    expect(data).toMatchObject({ name: 'named', enabled: 0, query: query('9') });
  });

  test('does not exist after DELETE', async () => {
    const { guid } = await make(newer('gone'));
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
    const { guid } = await make(newer('sought', { query: query('sought account') }));
    const find = async (field: string, expression: string, value: unknown) =>
      (
        await request('POST', `${family}/search`, {
          filters: [{ field, expression, value }],
          returns: ['resourceGuid', 'name'],
        })
      ).body;
    const hit = { data: [{ resourceGuid: guid, name: 'sought' }] };
    expect(await find('name', 'eq', 'sought')).toEqual(hit);
    expect(await find('resourceName', 'ilike', 'SOUGHT')).toEqual(hit);
    expect(await find('guid', 'eq', guid)).toEqual(hit);
    expect(await find('query.filters.Filter_One.values', 'eq', 'sought account')).toEqual(hit);
    expect((await find('isDefaultBoolean', 'eq', 'true')).data).toHaveLength(7);
    expect((await find('isDefault', 'eq', 1)).data).toHaveLength(7);
    expect((await find('createdTime', 'lt', '2026-03-01')).data).toEqual([]);
    expect((await find('nothing', 'eq', 'x')).message).toContain("Invalid field 'nothing'");
  });

  test('has audit entries with its name and the changed members', async () => {
    const { guid } = await make(newer('audited'));
    await request('PATCH', `${family}/${guid}`, { name: 'renamed', query: query('secret place') });
    await request('DELETE', `${family}/${guid}`);
    const { body, text } = await request('POST', 'AuditLogs/search', {
      filters: [{ field: 'eventDescription', expression: 'like', value: `%${guid}%` }],
    });
    const message = body.data.map((entry: { eventName: string; eventDescription: string }) => [
      ...[entry.eventName, entry.eventDescription.split(': ').slice(1).join(': ')],
    ]);
    expect(message).toHaveLength(3);
    expect(message).toContainEqual(['Resource Group Created', `AWS 'audited' (${guid})`]);
    expect(message).toContainEqual([
      'Resource Group Updated',
      `AWS 'renamed' (${guid}): name, query.filters`,
    ]);
    expect(message).toContainEqual(['Resource Group Deleted', `AWS 'renamed' (${guid})`]);
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
    const made = await request('POST', family, { ...first, name: 'copy' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({ name: 'copy', isDefault: 0, query: first.query });
    expect(made.body.data.guid).not.toBe(first.guid);
    await request('DELETE', `${family}/${made.body.data.guid}`);
  });

  test('are deleted with their account', async () => {
    const { id } = await service.accounts.create('leaving');
    const left = () =>
      service.store.read.selectFrom('resource_groups').select('id').where('owner_id', '=', id).execute();
    expect(await left()).toHaveLength(7);
    await service.accounts.delete('leaving');
    await purgeOwner(service.store, id);
    expect(await left()).toEqual([]);
  });
});
