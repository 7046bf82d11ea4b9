import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInGuid } from '../../reports/definitions/built-in-definitions.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
let channel: string;
let group: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
  channel = (await get('AlertChannels')).data[0].intgGuid;
  group = (await get('ResourceGroups')).data[0].resourceGroupGuid;
});
afterAll(() => service.stop());

const send = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const get = async (path: string) => (await send('GET', path)).body;
const request = (method: string, id = '', body?: unknown) =>
  send(method, `ReportDistributions${id && `/${id}`}`, body);
const builtIn = builtInGuid('AWS_CIS_14');
const body = (rest: object = {}) => ({
  ...{ reportDefinitionGuid: builtIn, distributionName: 'Weekly', alertChannels: [channel] },
  frequency: 'weekly',
  ...rest,
});
const nothing = { severities: [], violations: [], resourceGroups: [], integrations: [] };
const create = async (rest: object = {}) => {
  const created = await request('POST', '', body(rest));
  expect([created.status, created.body.message]).toEqual([201, undefined]);
  return created.body.data;
};
const ownDefinition = async (reportName: string) => {
  const sections = [{ title: 'x', policies: ['lacework-global-1'] }];
  const { body } = await send('POST', 'ReportDefinitions', {
    ...{ reportName, reportType: 'COMPLIANCE', subReportType: 'AWS', reportDefinition: { sections } },
  });
  return body.data.reportDefinitionGuid as string;
};

describe('a distribution', () => {
  test('is created, read, listed, changed and deleted', async () => {
    const data = {
      ...{ severities: ['Critical', ' high'], violations: ['NonCompliant', 'Manual'] },
      ...{ resourceGroups: [group], integrations: null },
    };
    const created = await create({ data });
    const id = created.reportDistributionGuid;
    expect(created).toEqual({
      reportDistributionGuid: expect.stringMatching(/^LOCAL_[A-Z0-9]{47}$/),
      ...body(),
      data: { ...data, severities: ['critical', 'high'], integrations: [] },
    });
    expect((await request('GET', id)).body).toEqual({ data: created });
    expect((await request('GET')).body).toEqual({ data: [created] });

    // As the Go client does: null for what is not set, an empty array for what is cleared.
    const integrations = [{ accountId: '123456789012' }, { tenantId: 't', subscriptionId: 's', other: 'x' }];
    const changed = await request('PATCH', id, {
      ...{ distributionName: 'Monthly', frequency: 'monthly', alertChannels: null },
      data: { severities: null, violations: [], resourceGroups: [], integrations },
    });
    expect([changed.status, changed.body.data]).toEqual([
      200,
      {
        ...created,
        ...{ distributionName: 'Monthly', frequency: 'monthly' },
        data: {
          ...{ severities: ['critical', 'high'], violations: [], resourceGroups: [] },
          integrations: [{ accountId: '123456789012' }, { tenantId: 't', subscriptionId: 's' }],
        },
      },
    ]);
    expect((await request('GET', id)).body).toEqual(changed.body);
    expect((await request('DELETE', id)).status).toBe(204);
    const missing = await request('GET', id);
    expect([missing.status, missing.body.message]).toEqual([404, `Not found: report distribution '${id}'.`]);
    expect((await request('GET')).body).toEqual({ data: [] });
  });

  test('is about everything if nothing is selected', async () => {
    for (const data of [undefined, null, {}, { severities: null, violations: null }]) {
      const created = await create({ data });
      expect(created.data).toEqual(nothing);
      await request('DELETE', created.reportDistributionGuid);
    }
  });

  test.each([
    [{ reportDefinitionGuid: 'X' }, 'reportDefinitionGuid must be the identifier of a report definition'],
    [{ alertChannels: ['X'] }, 'alertChannels[0] must be the intgGuid of an alert channel of the account'],
    [{ alertChannels: [] }, 'alertChannels must not be empty.'],
    [{ alertChannels: undefined }, 'alertChannels is required: add it to the body.'],
    [{ frequency: 'hourly' }, 'frequency must be one of daily, weekly, biweekly, monthly'],
    [{ distributionName: ' ' }, 'distributionName has an invalid value'],
    [
      { data: { resourceGroups: ['X'] } },
      'data.resourceGroups[0] must be the resourceGroupGuid of a resource group of the account',
    ],
    [{ data: { severities: ['grave'] } }, 'data.severities[0] must be one of critical, high'],
    [{ data: { violations: ['Failed'] } }, 'data.violations[0] must be one of Compliant, NonCompliant'],
    [{ data: { integrations: [{ accountId: '1' }, { x: 1 }] } }, 'data.integrations[1] selects nothing: set'],
    [
      { data: { resourceGroups: ['X'], integrations: [{ accountId: '1' }] } },
      'data.resourceGroups and data.integrations can not be combined',
    ],
  ])('is rejected with %j', async (rest, message) => {
    const rejected = await request('POST', '', body(rest));
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test('protects its definition from deletion', async () => {
    const definition = await ownDefinition('In use');
    const { reportDistributionGuid: id } = await create({ reportDefinitionGuid: definition });
    const refused = await send('DELETE', `ReportDefinitions/${definition}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `The report definition is used by the report distribution 'Weekly' (${id}): delete that first.`,
    ]);
    const moved = await request('PATCH', id, { reportDefinitionGuid: builtIn });
    expect([moved.status, moved.body.data.reportDefinitionGuid]).toEqual([200, builtIn]);
    expect((await send('DELETE', `ReportDefinitions/${definition}`)).status).toBe(204);
    const back = await request('PATCH', id, { reportDefinitionGuid: definition });
    expect([back.status, back.body.message]).toEqual([
      400,
      expect.stringContaining('reportDefinitionGuid must be the identifier of a report definition'),
    ]);
    await request('DELETE', id);
  });

  test('can still be changed after its channel and its group were deleted', async () => {
    const webhook = { webhookUrl: 'https://receiver.example.com/hook' };
    const added = await send('POST', 'AlertChannels', {
      name: 'x',
      type: 'Webhook',
      enabled: 1,
      data: webhook,
    });
    const temporary = await send('POST', 'ResourceGroups', {
      ...{ resourceName: 'x', resourceType: 'AWS', props: { accountIds: ['1'] } },
    });
    const [channelId, groupId] = [added.body.data.intgGuid, temporary.body.data.resourceGroupGuid];
    const created = await create({ alertChannels: [channelId], data: { resourceGroups: [groupId] } });
    await send('DELETE', `AlertChannels/${channelId}`);
    await send('DELETE', `ResourceGroups/${groupId}`);
    const changed = await request('PATCH', created.reportDistributionGuid, {
      ...created,
      frequency: 'daily',
    });
    expect([changed.status, changed.body.data]).toEqual([200, { ...created, frequency: 'daily' }]);
    await request('DELETE', created.reportDistributionGuid);
  });
});

test('definitions, channels, groups and distributions of another account do not exist', async () => {
  const definition = await ownDefinition('Private');
  const { reportDistributionGuid: id } = await create();
  await service.accounts.create('other');
  const foreign = await service.token(await service.member('other@example.com', 'accountAdmin', 'other'));
  const ask = (method: string, path: string, body?: unknown) =>
    service.request(method, `/api/v2/${path}`, { token: foreign, body });
  const own = (await ask('GET', 'AlertChannels')).body.data[0].intgGuid;
  for (const [rest, message] of [
    [{ reportDefinitionGuid: definition, alertChannels: [own] }, 'reportDefinitionGuid must be'],
    [{ alertChannels: [channel] }, 'alertChannels[0] must be'],
    [{ alertChannels: [own], data: { resourceGroups: [group] } }, 'data.resourceGroups[0] must be'],
  ] as const) {
    const rejected = await ask('POST', 'ReportDistributions', body(rest));
    expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringContaining(message)]);
  }
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect((await ask(method, `ReportDistributions/${id}`, method === 'PATCH' ? {} : undefined)).status).toBe(
      404,
    );
  expect((await ask('GET', 'ReportDistributions')).body).toEqual({ data: [] });
});
