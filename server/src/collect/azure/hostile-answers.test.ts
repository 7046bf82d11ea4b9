import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FakeAzure, idOf, json, row, subscription, tenant } from '../../testing/azure.ts';

const accounts = 'LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS';
const disks = 'LW_CFG_AZURE_COMPUTE_DISKS';
const storage = (name: string, properties: unknown = {}) =>
  row('Microsoft.Storage/storageAccounts', name, properties as object);

let azure: FakeAzure;
beforeAll(async () => {
  azure = await FakeAzure.start();
});
afterAll(() => azure.close());
beforeEach(() => {
  azure.receiver.forget();
  azure.tables = {};
  azure.replies = {};
  azure.intercept = () => undefined;
});

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('a hostile answer', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'a name of 10 MB',
      storage('x'.repeat(10 * 1024 * 1024)),
      /of a resource has \d+ characters; the limit is 4096/,
    ],
    ['deep JSON', storage('logs', { a: nested(3_000) }), /nested more than 100 levels deep/],
  ])('with %s ends its kind and nothing else', async (_, bad, reason) => {
    azure.tables = {
      resources: [row('Microsoft.Compute/disks', 'one'), bad as never, row('Microsoft.Compute/disks', 'two')],
    };
    const { sink, results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) });
    expect(results.get(disks)).toMatchObject({ status: 'collected', resources: 2 });
    expect(sink.of(accounts)).toMatchObject([{ parts: 0 }]);
  });

  test('with a configuration of 5 MB leaves that resource unread, and stores the others', async () => {
    azure.tables = { resources: [storage('logs', { a: 'x'.repeat(5 * 1024 * 1024) }), storage('small')] };
    const { sink, results } = await azure.collect(subscription);
    const reason = expect.stringMatching(/configuration of .*logs has \d+ characters; the limit is 1000000/);
    expect(results.get(accounts)).toMatchObject({ status: 'failed', resources: 1, unread: 1, reason });
    expect(sink.of(accounts)).toMatchObject([
      {
        parts: 1,
        resources: [{ facts: { RESOURCE_ID: expect.stringContaining('small') } }],
        unread: [{ reason }],
      },
    ]);
  });

  test('with arrays in place of rows is a failure, however deep they are', async () => {
    const body = `{"data":[${'['.repeat(200_000)}${']'.repeat(200_000)}],"resultTruncated":"false"}`;
    azure.intercept = ({ url, body: query }) =>
      url.includes('ResourceGraph') && query.includes('"resources |') ? { body } : undefined;
    const { results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('without an id'),
    });
  });

  test.each<[string, string]>([
    ['no JSON', '<html>'],
    ['an array', '[]'],
    ['no rows', '{}'],
    ['rows of a wrong type', '{"data":7}'],
    ['a row of a wrong type', '{"data":[7]}'],
    ['a row with an id of a wrong type', '{"data":[{"id":7,"type":"microsoft.compute/disks"}]}'],
  ])('with %s is a failure', async (_, body) => {
    azure.intercept = ({ url, body: query }) =>
      url.includes('ResourceGraph') && query.includes('"resources |') ? { body } : undefined;
    const { sink, results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('returned'),
    });
    expect(sink.of(accounts)).toMatchObject([{ parts: 0 }]);
    expect(results.get('LW_CFG_AZURE_SECURITY_PRICINGS')).toMatchObject({ status: 'empty' });
  });

  test('with members of wrong types is stored as far as it goes', async () => {
    azure.tables = {
      resources: [{ ...storage('logs', 'none'), location: 7, tags: ['a'], name: { a: 1 }, resourceGroup: 7 }],
    };
    const { sink } = await azure.collect(subscription);
    expect(sink.of(accounts)[0]?.resources).toMatchObject([
      { facts: { RESOURCE_REGION: 'global' }, config: JSON.stringify({ name: { a: 1 } }), tags: undefined },
    ]);
  });

  test('without an end of its pages is a failure', async () => {
    let page = 0;
    azure.intercept = ({ url, body }) => {
      if (url.includes('ResourceGraph') && body.includes('"resources |'))
        return json({ data: [], $skipToken: 'again', resultTruncated: 'true' });
      if (url.includes('/locks')) return json({ value: [], nextLink: `${url.split('&')[0]}&page=${page++}` });
      if (url.includes('/settings?')) return json({ value: [], nextLink: url });
      return undefined;
    };
    const { results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('the same again'),
    });
    expect(results.get('LW_CFG_AZURE_AUTHORIZATION_LOCKS')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('more than 2000 pages'),
    });
    expect(results.get('LW_CFG_AZURE_SECURITY_SETTINGS')).toMatchObject({ status: 'failed' });
  }, 60_000);

  test('with a next page at another host gets no token', async () => {
    azure.replies = {
      [`/subscriptions/${subscription}/providers/microsoft.authorization/locks`]: {
        value: [],
        nextLink: 'https://graph.microsoft.com/v1.0/users',
      },
    };
    const { results } = await azure.collect(subscription);
    expect(results.get('LW_CFG_AZURE_AUTHORIZATION_LOCKS')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(
        'The next page is at https://graph.microsoft.com, not at https://management.azure.com.',
      ),
    });
    expect(azure.paths('graph.microsoft.com')).toEqual([]);
  });

  test('with parents of another subscription leads to no reads there', async () => {
    const other =
      '/subscriptions/33333333-0000-4000-8000-00000000000b/resourceGroups/x/providers/Microsoft.KeyVault/vaults/v';
    const vault = row('Microsoft.KeyVault/vaults', 'v');
    azure.tables = {
      resources: [
        { ...vault, id: other },
        { ...vault, id: idOf('Microsoft.KeyVault/vaults/a?b#c') },
      ],
    };
    await azure.collect(subscription);
    expect(azure.paths().filter((path) => path.includes('33333333'))).toEqual([]);
    expect(azure.paths()).toContain(idOf('Microsoft.KeyVault/vaults/a?b#c/keys'));
  });

  test('of the directory ends its kind and nothing else', async () => {
    azure.replies = {
      '/v1.0/groups': [{ id: 'x'.repeat(5_000) }],
      '/v1.0/domains': [{ id: 'amberwood.example' }],
      '/v1.0/policies/authorizationpolicy': { id: 'authorizationPolicy', deep: nested(500) },
      '/v1.0/organization': { value: 'none' },
      '/v1.0/groupsettings': [{ displayName: 'no id' }],
    };
    const { results } = await azure.collect(tenant);
    expect(results.get('LW_CFG_AZURE_GROUP')).toMatchObject({ status: 'failed' });
    expect(results.get('LW_CFG_AZURE_GRAPH_AUTHORIZATIONPOLICY')).toMatchObject({ status: 'failed' });
    expect(results.get('LW_CFG_AZURE_ORGANIZATION')).toMatchObject({ status: 'failed' });
    expect(results.get('LW_CFG_AZURE_GRAPH_GROUPSETTING')).toMatchObject({ status: 'failed' });
    expect(results.get('LW_CFG_AZURE_DOMAIN')).toMatchObject({ status: 'collected' });
  });
});
