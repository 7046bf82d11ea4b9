import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let channel: string;
let second: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  channel = (await request('GET', 'AlertChannels')).body.data[0].intgGuid;
  const created = await request('POST', 'AlertChannels', {
    ...{ name: 'second', type: 'EmailUser', enabled: 1 },
    data: { channelProps: { recipients: ['a@example.com'] } },
  });
  second = created.body.data.intgGuid;
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const rule = (filters: object = {}, rest: object = {}) => ({
  ...{ type: 'Event', filters: { name: 'to the team', ...filters }, intgGuidList: [channel] },
  ...rest,
});
const create = async (filters: object = {}, rest: object = {}) => {
  const { status, body } = await request('POST', 'AlertRules', rule(filters, rest));
  expect([status, body.message]).toEqual([201, undefined]);
  return body.data;
};

describe('an alert rule', () => {
  test('is returned as sent, in the same order, with time and user of the last change', async () => {
    const filters = {
      description: 'd',
      enabled: 0,
      severity: [3, 1, 5],
      resourceGroups: ['LOCAL_B', 'LOCAL_A'],
      subCategory: ['Threat Intel', 'Compliance'],
      category: ['Policy', 'Anomaly'],
      source: ['K8s', 'AWS'],
    };
    const created = await create(filters, { intgGuidList: [second, channel] });
    expect(created).toEqual({
      mcGuid: expect.stringMatching(/^LOCAL_[A-Z0-9]{47}$/),
      name: 'to the team',
      type: 'Event',
      isOrg: 0,
      intgGuidList: [second, channel],
      filters: {
        name: 'to the team',
        ...filters,
        eventCategory: filters.subCategory,
        createdOrUpdatedTime: String(service.clock.now()),
        createdOrUpdatedBy: 'admin@local',
      },
    });
    expect((await request('GET', `AlertRules/${created.mcGuid}`)).body).toEqual({ data: created });
    expect((await request('GET', 'AlertRules')).body.data).toContainEqual(created);
  });

  test('has optional arrays cleared by null in an update with all members, and keeps required ones', async () => {
    const arrays = {
      resourceGroups: ['LOCAL_A'],
      subCategory: ['File'],
      category: ['Policy'],
      source: ['AWS'],
    };
    const { mcGuid } = await create({ ...arrays, severity: [1, 2] });
    const path = `AlertRules/${mcGuid}`;
    const updated = (
      await request('PATCH', path, { filters: { subCategory: ['File'], eventCategory: null } })
    ).body.data;
    expect(updated.filters).toMatchObject({ ...arrays, eventCategory: ['File'] });
    const nulls = { resourceGroups: null, subCategory: null, category: null, source: null, severity: null };
    const { data } = (await request('PATCH', path, { filters: nulls, intgGuidList: null })).body;
    expect(data.filters).toMatchObject({
      ...{ resourceGroups: [], subCategory: [], eventCategory: [], category: [], source: [] },
      severity: [1, 2],
    });
    expect(data.intgGuidList).toEqual([channel]);
    expect((await request('GET', path)).body.data).toEqual(data);
  });

  test('is enabled by default; null and unknown members are ignored', async () => {
    const nulls = { severity: null, resourceGroups: null, subCategory: null, category: null };
    const { filters } = await create({
      ...nulls,
      eventCategory: null,
      mood: 'good',
      profileVersions: ['V1'],
    });
    expect(filters).toEqual({
      name: 'to the team',
      enabled: 1,
      createdOrUpdatedTime: expect.stringMatching(/^\d+$/),
      createdOrUpdatedBy: 'admin@local',
    });
  });

  test('accepts the earlier name and values of its categories', async () => {
    const { filters } = await create({
      eventCategory: ['App', 'Cloud', 'K8sActivity', 'File', 'Application'],
    });
    const categories = ['Application', 'Cloud Activity', 'Kubernetes Activity', 'File'];
    expect([filters.subCategory, filters.eventCategory]).toEqual([categories, categories]);
  });

  test.each([
    [{ eventCategory: ['App'] }, 'Application'],
    [{ subCategory: ['User'] }, 'User'],
    [{ subCategory: ['User'], eventCategory: ['App'] }, 'User'],
  ])('sent back with the change %j has the new categories', async (changes, category) => {
    const { filters, mcGuid } = await create({ subCategory: ['File', 'Machine'] });
    const { body } = await request('PATCH', `AlertRules/${mcGuid}`, { filters: { ...filters, ...changes } });
    expect(body.data.filters).toEqual({ ...filters, subCategory: [category], eventCategory: [category] });
  });

  test('is updated member by member and ignores read-only members', async () => {
    const created = await create({ severity: [1, 2], description: 'd', category: ['Policy'] });
    service.clock.advance(1000);
    const { body, status } = await request('PATCH', `AlertRules/${created.mcGuid}`, {
      ...{ mcGuid: 'X', type: 'Report', createdOrUpdatedTime: '1', intgGuidList: null },
      filters: { name: 'renamed', enabled: 0, severity: null, category: [], createdOrUpdatedTime: '1' },
    });
    const time = String(service.clock.now());
    const filters = {
      ...created.filters,
      name: 'renamed',
      enabled: 0,
      category: [],
      createdOrUpdatedTime: time,
    };
    expect([status, body.data]).toEqual([200, { ...created, name: 'renamed', filters }]);
    const moved = await request('PATCH', `AlertRules/${created.mcGuid}`, { intgGuidList: [second] });
    expect(moved.body.data).toEqual({ ...body.data, intgGuidList: [second] });
  });

  test('keeps concurrent updates of different members', async () => {
    const { mcGuid } = await create();
    await Promise.all(
      [{ name: 'named' }, { enabled: 0 }, { severity: [4] }, { description: 'd' }, { source: ['GCP'] }].map(
        (filters) => request('PATCH', `AlertRules/${mcGuid}`, { filters }),
      ),
    );
    const { filters } = (await request('GET', `AlertRules/${mcGuid}`)).body.data;
    expect(filters).toMatchObject({
      ...{ name: 'named', enabled: 0, severity: [4], description: 'd', source: ['GCP'] },
    });
  });

  test('can be updated after one of its channels was deleted, but accepts no other deleted channel', async () => {
    const created = await request('POST', 'AlertChannels', {
      ...{ name: 'short-lived', type: 'EmailUser', enabled: 1 },
      data: { channelProps: { recipients: ['a@example.com'] } },
    });
    const { intgGuid } = created.body.data;
    const one = await create({}, { intgGuidList: [intgGuid] });
    const other = await create();
    await request('DELETE', `AlertChannels/${intgGuid}`);
    const read = (await request('GET', `AlertRules/${one.mcGuid}`)).body.data;
    const changed = await request('PATCH', `AlertRules/${one.mcGuid}`, {
      ...read,
      filters: { ...read.filters, enabled: 0 },
    });
    expect([changed.status, changed.body.data.filters.enabled]).toEqual([200, 0]);
    const rejected = await request('PATCH', `AlertRules/${other.mcGuid}`, {
      intgGuidList: [channel, intgGuid],
    });
    expect([rejected.status, rejected.body.message]).toEqual([
      400,
      expect.stringContaining('intgGuidList[1]'),
    ]);
  });

  test('does not exist after DELETE', async () => {
    const { mcGuid } = await create();
    const deleted = await request('DELETE', `AlertRules/${mcGuid}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status, body } = await request(
        method,
        `AlertRules/${mcGuid}`,
        method === 'PATCH' ? {} : undefined,
      );
      expect([status, body.message]).toEqual([404, expect.stringMatching(/^Not found: alert rule '.+'\.$/)]);
    }
  });

  test.each([
    [{ type: undefined }, 'type is required'],
    [{ type: 'Report' }, "type must be 'Event'"],
    [{ filters: undefined }, 'filters is required'],
    [{ filters: {} }, 'filters.name is required'],
    [{ filters: { name: ' ' } }, 'filters.name'],
    [{ filters: { name: null } }, 'filters.name must be a string'],
    [
      { filters: { name: 'n', enabled: true } },
      'filters.enabled must be 0 (disabled) or 1 (enabled), not true',
    ],
    [{ filters: { name: 'n', enabled: 2 } }, 'filters.enabled must be 0 (disabled) or 1 (enabled), not 2.'],
    [
      { filters: { name: 'n', severity: ['High'] } },
      "filters.severity[0] must be 1 (Critical) to 5 (Info), not 'High'",
    ],
    [
      { filters: { name: 'n', severity: [1, 6] } },
      'filters.severity[1] must be 1 (Critical) to 5 (Info), not 6.',
    ],
    [{ filters: { name: 'n', severity: [1, 1] } }, 'filters.severity must not contain the same value twice'],
    [{ filters: { name: 'n', subCategory: ['File', 'App'] } }, 'filters.subCategory[1] must be one of'],
    [{ filters: { name: 'n', eventCategory: ['Nothing'] } }, 'filters.eventCategory[0] must be one of'],
    [{ filters: { name: 'n', category: ['x'] } }, 'filters.category[0] must be one of Anomaly'],
    [{ filters: { name: 'n', source: ['x'] } }, 'filters.source[0] must be one of Agent'],
    [{ filters: { name: 'n', resourceGroups: [7] } }, 'filters.resourceGroups[0] must be a string'],
    [{ intgGuidList: undefined }, 'intgGuidList is required'],
    [{ intgGuidList: null }, 'intgGuidList must be an array'],
    [{ intgGuidList: [] }, 'intgGuidList must not be empty'],
    [{ intgGuidList: ['a', 'a'] }, 'intgGuidList must not contain the same value twice'],
    [
      { intgGuidList: ['NOWHERE_1'] },
      "intgGuidList[0] must be the intgGuid of an alert channel of the account, not 'NOWHERE_1'",
    ],
  ])('with %j is rejected, and the message names the member', async (rest, message) => {
    const before = (await request('GET', 'AlertRules')).body.data;
    const { status, body } = await request('POST', 'AlertRules', rule({}, rest));
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect((await request('GET', 'AlertRules')).body.data).toEqual(before);
  });

  test('accepts alert channels of its own owner only', async () => {
    const account = await request('POST', 'CloudAccounts', {
      ...{ name: 'no channel', type: 'AwsCfg', enabled: 1 },
      data: { crossAccountCredentials: { roleArn: 'arn:aws:iam::111111111111:role/r', externalId: 'x' } },
    });
    const org = { 'Org-Access': 'true' };
    const orgChannel = (await request('GET', 'AlertChannels', undefined, org)).body.data[0].intgGuid;
    const { mcGuid, ...created } = await create();
    for (const guid of [account.body.data.intgGuid, orgChannel]) {
      for (const response of [
        await request('POST', 'AlertRules', rule({}, { intgGuidList: [channel, guid] })),
        await request('PATCH', `AlertRules/${mcGuid}`, { intgGuidList: [channel, guid] }),
      ]) {
        expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(`'${guid}'`)]);
        expect(response.body.message).toContain('intgGuidList[1]');
      }
    }
    expect((await request('GET', `AlertRules/${mcGuid}`)).body.data).toEqual({ mcGuid, ...created });
    const own = await request('POST', 'AlertRules', rule({}, { intgGuidList: [orgChannel] }), org);
    expect([own.status, own.body.data.isOrg, own.body.data.intgGuidList]).toEqual([201, 1, [orgChannel]]);
    expect((await request('GET', `AlertRules/${own.body.data.mcGuid}`)).status).toBe(404);
    expect((await request('GET', 'AlertRules', undefined, org)).body.data).toEqual([own.body.data]);
  });

  test('has audit entries with its id and the changed members', async () => {
    const { mcGuid } = await create({ name: 'audited' });
    await request('PATCH', `AlertRules/${mcGuid}`, {
      filters: { name: 'renamed', severity: [1] },
      intgGuidList: [second],
    });
    await request('DELETE', `AlertRules/${mcGuid}`);
    const { body } = await request('POST', 'AuditLogs/search', {
      filters: [{ field: 'eventDescription', expression: 'like', value: `%${mcGuid}%` }],
    });
    const entries = body.data.map((entry: { eventName: string; eventDescription: string }) => [
      entry.eventName,
      entry.eventDescription.split(': ').slice(1).join(': '),
    ]);
    expect(Object.fromEntries(entries)).toEqual({
      'Alert Rule Created': `AlertRules 'audited' (${mcGuid})`,
      'Alert Rule Updated': `AlertRules 'renamed' (${mcGuid}): filters.name, filters.severity, intgGuidList`,
      'Alert Rule Deleted': `AlertRules 'renamed' (${mcGuid})`,
    });
  });

  test('is searchable by the values that GET returns, regardless of time', async () => {
    const { mcGuid } = await create({
      ...{ name: 'Findable rule', severity: [2, 4], resourceGroups: ['LOCAL_G'], eventCategory: ['App'] },
    });
    service.clock.advance(1000);
    const find = async (field: string, expression: string, value: string, returns?: string[]) =>
      (await request('POST', 'AlertRules/search', { filters: [{ field, expression, value }], returns })).body;
    const filter = { field: 'filters.name', expression: 'ilike', value: 'findable rule' };
    for (const [field, value] of [
      ['mcGuid', mcGuid],
      ['intgGuidList', channel],
      ['filters.severity', '4'],
      ['filters.resourceGroups', 'LOCAL_G'],
      ['filters.eventCategory', 'Application'],
      ['filters.subCategory', 'Application'],
    ]) {
      const filters = [filter, { field, expression: 'eq', value }];
      const { body } = await request('POST', 'AlertRules/search', { filters, returns: ['mcGuid'] });
      expect([field, body.data]).toEqual([field, [{ mcGuid }]]);
    }
    expect(await find('reportNotificationTypes.agentEvents', 'eq', 'true')).toEqual({ data: [] });
    expect((await find('filters.name', 'eq', 'nobody')).data).toEqual([]);
    expect((await find('nothing', 'eq', 'x')).message).toContain("Invalid field 'nothing'");
    expect((await request('POST', 'AlertRules/search')).body).toEqual(
      (await request('GET', 'AlertRules')).body,
    );
  });
});
