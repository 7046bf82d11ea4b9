import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestAgent } from '../../testing/agent.ts';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
  const agent = await TestAgent.of(service);
  const time = new Date(service.clock.now() - 60_000).toISOString();
  const event = (name: string) =>
    `{"eventID":"${name}","eventTime":"${time}","eventName":"${name}","eventSource":"iam.amazonaws.com"}`;
  await agent.send([event('name.7'), event('other')], { path: 'CloudTrailRawEvents' });
});
afterAll(() => service.stop());

/** Too long to be parsed on the event loop. */
const conditions = Array.from({ length: 2_000 }, (_, index) => `EVENT_NAME = 'name.${index}'`).join(' or ');
const queryWithColumn = (column: string) =>
  `{ source { CloudTrailRawEvents } filter { ${conditions} } return { INSERT_ID, ${column} } }`;
const queryText = queryWithColumn('EVENT_NAME');
const request = (path: string, body: unknown) => service.request('POST', `/api/v2/${path}`, { token, body });

describe('a long query', () => {
  test('is executed by its text and by its id, and can be used by a policy', async () => {
    const run = await request('Queries/execute', { query: { queryText } });
    expect([run.status, run.body.data]).toEqual([
      200,
      [{ INSERT_ID: expect.anything(), EVENT_NAME: 'name.7' }],
    ]);
    const created = await request('Queries', { queryId: 'Long', queryText });
    expect([created.status, created.body.data.resultSchema]).toMatchObject([
      201,
      [{ name: 'INSERT_ID' }, { name: 'EVENT_NAME', dataType: 'String' }],
    ]);
    const saved = await request('Queries/Long/execute', {});
    expect(saved.body).toEqual(run.body);
    const policy = await request('Policies', {
      ...{ title: 'Long', description: 'Long', remediation: 'None', queryId: 'Long' },
      ...{ policyType: 'Violation', severity: 'low', enabled: true, alertEnabled: false },
    });
    expect([policy.status, policy.body.data.queryId]).toEqual([201, 'Long']);
  });

  test('is rejected with the position of the error', async () => {
    const { status, body } = await request('Queries/validate', { queryText: queryWithColumn('EVENT_NAM') });
    const column = queryText.lastIndexOf('EVENT_NAME') + 1;
    expect([status, body.code, body.message]).toEqual([
      400,
      'INVALID_QUERY',
      expect.stringContaining(`Unable to translate due to: Line 1, column ${column}, at EVENT_NAM: `),
    ]);
  });

  test('is validated with its result columns', async () => {
    const { status, body } = await request('Queries/validate', { queryText: `Named ${queryText}` });
    expect([status, body.data.queryId, body.data.warnings]).toEqual([200, 'Named', []]);
  });
});
