import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestService } from '../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token(service.firstKey, 86_400);
});
afterAll(() => service.stop());

const request = (method: string, path: string, body?: unknown) =>
  service.request(method, `/api/v2/${path}`, { token, body });
const webhook = (data: object) => ({
  ...{ name: 'a webhook', type: 'Webhook', enabled: 1 },
  data: { webhookUrl: 'https://hooks.example.com/in', ...data },
});
const tooLong = /^data must have at most 131072 characters as JSON, not 2000\d\d: shorten data\.x\.$/;

test('an error about oversized settings names their longest member, declared or not', async () => {
  const long = webhook({ x: 'x'.repeat(200_000), y: 1 });
  const rejected = await request('POST', 'AlertChannels', long);
  expect([rejected.status, rejected.body.message]).toEqual([400, expect.stringMatching(tooLong)]);
  const created = await request('POST', 'AlertChannels', webhook({ x: 'x'.repeat(100_000) }));
  expect(created.status).toBe(201);
  const path = `AlertChannels/${created.body.data.intgGuid}`;
  const changed = await request('PATCH', path, { data: long.data });
  expect([changed.status, changed.body.message]).toEqual([400, expect.stringMatching(tooLong)]);
  expect((await request('GET', path)).body.data.data).toEqual(created.body.data.data);
});

test('a file in the settings does not count towards the length limit', async () => {
  const file = `data:application/json;name=i.json;base64,${Buffer.from(JSON.stringify({ x: 'x'.repeat(500_000) })).toString('base64')}`;
  const data = {
    ...{ jiraType: 'JIRA_CLOUD', jiraUrl: 'jira.example.com', issueType: 'Bug', projectId: 'P' },
    ...{ username: 'ada', apiToken: 'token-of-ada', issueGrouping: 'Events', customTemplateFile: file },
  };
  const created = await request('POST', 'AlertChannels', { name: 'Jira', type: 'Jira', enabled: 1, data });
  expect([created.status, created.body.data?.data.customTemplateFile]).toEqual([201, file]);
});
