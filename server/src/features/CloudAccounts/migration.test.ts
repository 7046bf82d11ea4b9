import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestService } from '../../testing/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await TestService.start({ VEDETTE_RATE_LIMIT: 'off' });
  token = await service.token();
});
afterAll(() => service.stop());

type Headers = Record<string, string>;
const request = (method: string, path: string, body?: unknown, headers: Headers = {}) =>
  service.request(method, `/api/v2/${path}`, { token, body, headers });
const migrate = (intgGuid: string, migrationTimestamp: unknown, headers: Headers = {}) =>
  request(
    'PATCH',
    'migrateGcpAtSes',
    { data: { intgGuid, props: { migrate: true, migrationTimestamp } } },
    headers,
  );
const create = async (subscriptionName: string, headers: Headers = {}): Promise<string> => {
  const credentials = { clientId: 'c', clientEmail: 'c@example.com', privateKey: 'k', privateKeyId: 'i' };
  const data = { credentials, idType: 'PROJECT', id: 'example-project', subscriptionName };
  const body = { name: 'trail', type: 'GcpAtSes', enabled: 1, data };
  return (await request('POST', 'CloudAccounts', body, headers)).body.data.intgGuid;
};

describe('the migration of a Google Cloud audit-log integration', () => {
  test.each([
    ['2026-03-01T12:00:00.123456789+01:00', '2026-03-01T11:00:00.123Z'],
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
  ])('requested at %s is recorded in its props', async (timestamp, stored) => {
    const intgGuid = await create(timestamp);
    const response = await migrate(intgGuid, timestamp);
    expect([response.status, response.body.data]).toEqual([
      200,
      expect.objectContaining({ intgGuid, props: { migrate: true, migrationTimestamp: stored } }),
    ]);
    expect((await request('GET', `CloudAccounts/${intgGuid}`)).body.data).toEqual(response.body.data);
    const renamed = await request('PATCH', `CloudAccounts/${intgGuid}`, {
      ...response.body.data,
      name: 'renamed',
    });
    expect(renamed.body.data.props).toEqual(response.body.data.props);
  });

  test('is audited', async () => {
    const intgGuid = await create('audited');
    await migrate(intgGuid, '2026-03-01T12:00:00Z');
    const filters = [{ field: 'eventDescription', expression: 'like', value: `%${intgGuid}%props.migrat%` }];
    const { body } = await request('POST', 'AuditLogs/search', { filters });
    expect(body.data).toMatchObject([{ eventName: 'Cloud Account Updated' }]);
  });

  test('requires an integration of that type that the caller owns', async () => {
    const { body } = await request('POST', 'CloudAccounts', {
      ...{ name: 'other', type: 'AwsCfg', enabled: 1 },
      data: { crossAccountCredentials: { roleArn: 'arn:aws:iam::111111111111:role/x', externalId: 'x' } },
    });
    const other = await migrate(body.data.intgGuid, '2026-03-01T12:00:00Z');
    expect([other.status, other.body.message]).toEqual([
      400,
      'data.intgGuid must be the id of an integration of type GcpAtSes, not AwsCfg.',
    ]);
    const organization = { 'Org-Access': 'true' };
    const [own, common] = [await create('own'), await create('common', organization)];
    for (const [guid, headers] of [['nothing'], [common], [own, organization]] as const) {
      const missing = await migrate(guid as string, '2026-03-01T12:00:00Z', headers);
      expect([missing.status, missing.body.message]).toEqual([
        404,
        expect.stringMatching(/^Not found: cloud account '.+'\.$/),
      ]);
    }
    expect((await migrate(common, '2026-03-01T12:00:00Z', organization)).status).toBe(200);
    await service.accounts.create('other');
    const otherToken = await service.token(await service.member('o@example.com', 'accountAdmin', 'other'));
    const props = { migrate: true, migrationTimestamp: '2026-03-01T12:00:00Z' };
    const otherAccount = { token: otherToken, body: { data: { intgGuid: own, props } } };
    expect((await service.request('PATCH', '/api/v2/migrateGcpAtSes', otherAccount)).status).toBe(404);
  });

  test.each(['yesterday', '', 7, '2026-02-30'])('rejects the timestamp %j and names it', async (instant) => {
    const response = await migrate(await create(`at ${instant}`), instant);
    expect([response.status, response.body.message]).toEqual([
      400,
      expect.stringContaining('data.props.migrationTimestamp'),
    ]);
  });
});
