import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start();
  token = await service.token();
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.request(method, `/api/v2/AlertChannels${path}`, { token, body, headers });

describe('the default e-mail channel', () => {
  test('exists in every account and in the organization, and cannot be deleted', async () => {
    await service.accounts.create('acme');
    for (const [headers, isOrg] of [
      [{}, 0],
      [{ 'Account-Name': 'acme' }, 0],
      [{ 'Org-Access': 'true' }, 1],
    ] as const) {
      const filters = [{ field: 'name', expression: 'ilike', value: 'default email' }];
      const { body } = await request('POST', '/search', { filters }, headers);
      expect(body.data).toHaveLength(1);
      const [channel] = body.data;
      expect(channel).toMatchObject({ type: 'EmailUser', isOrg, props: { isDefault: 1 } });
      expect(channel.data.channelProps.recipients).toEqual(['admin@local']);
      expect((await request('DELETE', `/${channel.intgGuid}`, undefined, headers)).status).toBe(409);
    }
  });
});

describe('the list', () => {
  test('shows the current state of each channel, including secrets that clients compare', async () => {
    const slackUrl = (name: string) => `https://hooks.example.com/${name}`;
    const body = {
      name: 'Slack "quoted" é',
      type: 'SlackChannel',
      enabled: 1,
      data: { slackUrl: slackUrl('a') },
    };
    const created = (await request('POST', '', body)).body.data;
    const list = async (path = '') => {
      const { data } = (await request('GET', path)).body;
      return data.find(({ intgGuid }: { intgGuid: string }) => intgGuid === created.intgGuid);
    };
    for (const path of ['', '', '/SlackChannel']) expect(await list(path)).toEqual(created);
    const renamed = (await request('PATCH', `/${created.intgGuid}`, { name: 'other' })).body.data;
    expect(await list()).toEqual(renamed);
    const moved = (await request('PATCH', `/${created.intgGuid}`, { data: { slackUrl: slackUrl('b') } })).body
      .data;
    expect(moved.data.slackUrl).toBe(slackUrl('b'));
    expect(await list()).toEqual(moved);
  });
});

describe('a member of the wrong type', () => {
  const jira = (content: string) => ({
    ...{
      jiraType: 'JIRA_CLOUD',
      jiraUrl: 'u',
      issueType: 'Bug',
      projectId: 'P',
      username: 'u',
      apiToken: 't',
    },
    customTemplateFile: `data:application/json;name=i.json;base64,${content}`,
  });

  test.each([
    [
      'Webhook',
      { webhookUrl: 'example.com' },
      "data.webhookUrl has an invalid value: 'example.com'. ",
      'https://',
    ],
    ['Jira', jira('e30'), 'data.customTemplateFile has an invalid value: ', 'base64 data URI'],
    ['Jira', jira('e30=='), 'data.customTemplateFile has an invalid value: ', 'base64 data URI'],
    ['Jira', jira('{}'), 'data.customTemplateFile has an invalid value: ', 'base64 data URI'],
  ])('of a %s, %j, is rejected with the expected type', async (type, data, message, expected) => {
    const { status, body } = await request('POST', '', { name: 'wrong', type, enabled: 1, data });
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)]);
    expect(body.message).toContain(expected);
  });

  test('does not include unusual but valid values', async () => {
    for (const content of ['', 'e30=', 'e3t9fQ==', 'bGluZQog']) {
      const body = { name: 'fine', type: 'Jira', enabled: 1, data: jira(content) };
      expect((await request('POST', '', body)).status).toBe(201);
    }
  });
});

describe('schemas of the family', () => {
  const specifiedTypes =
    'AwsS3 CiscoSparkWebhook CloudwatchEb Datadog EmailUser GcpPubsub IbmQradar Jira MicrosoftTeams ' +
    'NewRelicInsights PagerDutyApi ServiceNowRest SlackChannel SplunkHec VictorOps Webhook';

  test('are a discriminated union, and each type by its name', async () => {
    const { body } = await service.request('GET', '/api/v2/schemas/AlertChannels', { token });
    const names = body.oneOf.map(
      (form: { properties: { type: { enum: string[] } } }) => form.properties.type.enum[0],
    );
    expect(names).toEqual(expect.arrayContaining(specifiedTypes.split(' ')));
    for (const name of names) {
      const one = await service.request('GET', `/api/v2/schemas/AlertChannels/${name}`, { token });
      expect(Object.keys(one.body.properties)).toEqual(['name', 'type', 'enabled', 'data']);
    }
  });
});
