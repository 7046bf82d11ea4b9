import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { error, FakeAzure, idOf, json, row, subscription, tenant } from '../../testing/azure.ts';

const accounts = 'LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS';
const storage = (name: string, properties: object = {}, other: object = {}) =>
  row('Microsoft.Storage/storageAccounts', name, properties, other);
const below = (name: string, path: string) =>
  idOf(`Microsoft.Storage/storageAccounts/${name}/${path}`).toLowerCase();

let azure: FakeAzure;
beforeAll(async () => {
  azure = await FakeAzure.start();
});
afterAll(() => azure.close());
beforeEach(() => {
  azure.receiver.forget();
  azure.waits.length = 0;
  azure.tables = {};
  azure.replies = {};
  azure.actions = ['*/read'];
  azure.pageSize = 1_000;
  azure.queryHeaders = {};
  azure.intercept = () => undefined;
});

describe('a subscription', () => {
  test('is read by one query a table, whose rows are divided by type', async () => {
    const disks = Array.from({ length: 2_500 }, (_, index) =>
      row('Microsoft.Compute/disks', `disk-${index}`),
    );
    azure.tables = {
      resources: [storage('logs', { allowBlobPublicAccess: false }), ...disks],
      authorizationresources: [
        {
          ...{ id: '/providers/Microsoft.Authorization/RoleDefinitions/reader', name: 'reader' },
          ...{ type: 'microsoft.authorization/roledefinitions', properties: { type: 'BuiltInRole' } },
        },
      ],
    };
    const { sink, results } = await azure.collect(subscription);
    expect(sink.of('LW_CFG_AZURE_COMPUTE_DISKS')).toMatchObject([
      { cloudAccount: subscription, region: 'global', status: 'collected' },
    ]);
    expect(Object.keys(sink.configs('LW_CFG_AZURE_COMPUTE_DISKS'))).toHaveLength(2_500);
    expect(sink.of(accounts)[0]?.resources).toEqual([
      {
        key: idOf('microsoft.storage/storageaccounts/logs').toLowerCase(),
        facts: {
          URN: idOf('Microsoft.Storage/storageAccounts/logs'),
          RESOURCE_ID: idOf('Microsoft.Storage/storageAccounts/logs'),
          RESOURCE_TYPE: 'microsoft.storage/storageaccounts',
          SERVICE: 'microsoft.storage',
          API_KEY: 'resources',
          RESOURCE_REGION: 'westeurope',
          TENANT_ID: tenant,
          TENANT_NAME: 'Amberwood',
          SUBSCRIPTION_ID: subscription,
          SUBSCRIPTION_NAME: 'Shop',
          RESOURCE_GROUP: 'shop',
        },
        config: JSON.stringify({ name: 'logs', allowBlobPublicAccess: false }),
        tags: JSON.stringify({ team: 'shop' }),
      },
    ]);
    expect(sink.configs('LW_CFG_AZURE_AUTHORIZATION_ROLEDEFINITIONS')).toEqual({
      '/providers/microsoft.authorization/roledefinitions/reader': { name: 'reader', type: 'BuiltInRole' },
    });
    expect(results.get('LW_CFG_AZURE_NETWORK_BASTIONHOSTS')).toMatchObject({ status: 'empty', reason: '' });
    const resources = azure.queries().filter(({ query }) => /^resources .*disks/.test(query));
    expect(resources.map(({ options }) => options)).toEqual([
      { resultFormat: 'objectArray', $top: 1_000 },
      { resultFormat: 'objectArray', $top: 1_000, $skipToken: '1000' },
      { resultFormat: 'objectArray', $top: 1_000, $skipToken: '2000' },
    ]);
    expect(resources[0]).toMatchObject({
      subscriptions: [subscription],
      query: expect.stringContaining('order by id'),
    });
    const tables = azure.queries().map(({ query }) => query.split(' ')[0]);
    expect(tables.filter((table) => table === 'securityresources')).toHaveLength(1);
  });

  test('has children that are read below their parents, page by page', async () => {
    azure.tables = { resources: [storage('logs'), storage('files')] };
    azure.replies = {
      [below('logs', 'blobServices/default')]: {
        id: idOf('Microsoft.Storage/storageAccounts/logs/blobServices/default'),
        properties: { isVersioningEnabled: true },
      },
      [below('files', 'blobServices/default')]: error(
        ...([400, 'FeatureNotSupportedForAccount', 'Blob is not supported for the account.'] as const),
      ),
      [below('files', 'blobServices/default/containers')]: error(
        ...([400, 'FeatureNotSupportedForAccount', 'Blob is not supported for the account.'] as const),
      ),
      [below('logs', 'blobServices/default/containers')]: ['a', 'b', 'c'].map((name) => ({
        ...{
          id: idOf(`Microsoft.Storage/storageAccounts/logs/blobServices/default/containers/${name}`),
          name,
        },
        properties: { publicAccess: 'None' },
      })),
    };
    const { sink, results } = await azure.collect(subscription);
    expect(sink.configs('LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS_BLOBSERVICES')).toEqual({
      [below('logs', 'blobServices/default')]: { isVersioningEnabled: true },
      [below('files', 'blobServices/default')]: {},
    });
    const containers = 'LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS_BLOBSERVICES_CONTAINERS';
    expect(Object.values(sink.configs(containers))).toEqual(
      ['a', 'b', 'c'].map((name) => ({ name, publicAccess: 'None' })),
    );
    expect(sink.of(containers)[0]?.resources[0]).toMatchObject({
      facts: { RESOURCE_REGION: 'westeurope', RESOURCE_GROUP: 'shop' },
      tags: JSON.stringify({ team: 'shop' }),
    });
    expect(results.get(containers)).toMatchObject({ status: 'collected', resources: 3 });
    // Asked and not found: a row without configuration for each account.
    expect(sink.configs('LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS_FILESERVICES')).toEqual({
      [below('logs', 'fileServices/default')]: {},
      [below('files', 'fileServices/default')]: {},
    });
    const versions = azure.receiver.received.filter(({ url }) => url.includes('blobServices'));
    expect(versions.every(({ url }) => /[?&]api-version=\d{4}-\d\d-\d\d/.test(url))).toBe(true);
  });

  test('has diagnostic settings of itself and of its resources, with a row where there are none', async () => {
    azure.tables = { resources: [storage('logs'), row('Microsoft.KeyVault/vaults', 'keys')] };
    const settings = 'providers/microsoft.insights/diagnosticsettings';
    const vault = idOf('microsoft.keyvault/vaults/keys').toLowerCase();
    azure.replies = {
      [`/subscriptions/${subscription}/${settings}`]: [],
      [`${vault}/${settings}`]: [
        {
          id: `${vault}/${settings}/audit`,
          name: 'audit',
          properties: { logs: [{ category: 'AuditEvent' }] },
        },
      ],
    };
    const { sink } = await azure.collect(subscription);
    expect(sink.configs('LW_CFG_AZURE_INSIGHTS_DIAGNOSTICSETTINGS')).toEqual({
      [`/subscriptions/${subscription}/${settings}`]: {},
      [`${vault}/${settings}/audit`]: { name: 'audit', logs: [{ category: 'AuditEvent' }] },
      ...Object.fromEntries(
        [
          '',
          '/blobservices/default',
          '/fileservices/default',
          '/queueservices/default',
          '/tableservices/default',
        ].map((path) => [
          `${idOf('microsoft.storage/storageaccounts/logs').toLowerCase()}${path}/${settings}`,
          {},
        ]),
      ),
    });
  });

  test('has keys whose rotation policy is read key by key', async () => {
    const vault = idOf('microsoft.keyvault/vaults/keys').toLowerCase();
    azure.tables = { resources: [row('Microsoft.KeyVault/vaults', 'keys')] };
    azure.replies = {
      [`${vault}/keys`]: ['one', 'gone'].map((name) => ({ id: `${vault}/keys/${name}`, name })),
      [`${vault}/keys/one`]: {
        id: `${vault}/keys/one`,
        name: 'one',
        properties: { rotationPolicy: { a: 1 } },
      },
    };
    const { sink } = await azure.collect(subscription);
    expect(sink.configs('LW_CFG_AZURE_KEYVAULT_VAULTS_KEYS')).toEqual({
      [`${vault}/keys/one`]: { name: 'one', rotationPolicy: { a: 1 } },
    });
  });
});

describe('throttling', () => {
  test('is waited out as the reply asks', async () => {
    azure.tables = { resources: [storage('logs')] };
    const replies = [
      error(429, 'RateLimiting', 'Too many queries.', { 'retry-after': '7' }),
      error(429, 'RateLimiting', 'Too many queries.', { 'x-ms-user-quota-resets-after': '00:00:11' }),
      error(503, 'ServerBusy', 'Busy.'),
    ];
    azure.intercept = ({ url }) => (url.includes('ResourceGraph') ? replies.shift() : undefined);
    const { results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({ status: 'collected', resources: 1 });
    for (const wait of [7_000, 11_000]) expect(azure.waits).toContain(wait);
    expect([...results.values()].filter(({ status }) => status === 'failed')).toEqual([]);
  });

  test('is avoided when the quota of queries is used up', async () => {
    azure.queryHeaders = { 'x-ms-user-quota-remaining': '0', 'x-ms-user-quota-resets-after': '00:00:05' };
    azure.tables = { resources: [storage('one'), storage('two'), storage('three')] };
    azure.pageSize = 1;
    await azure.collect(subscription);
    expect(Math.max(...azure.waits)).toBeGreaterThanOrEqual(5_000);
  });

  test('that does not end is a failure, and replaces nothing', async () => {
    azure.intercept = ({ url }) =>
      url.includes('ResourceGraph') ? error(429, 'RateLimiting', 'Too many queries.') : undefined;
    const { sink, results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({
      status: 'failed',
      reason: 'Resource Graph table resources: 429 RateLimiting: Too many queries.',
    });
    expect(sink.of(accounts)).toMatchObject([{ parts: 0 }]);
  });

  test('queries stay at a fifth of the documented rate', async () => {
    await azure.collect(subscription);
    const start = azure.clock.now();
    azure.receiver.forget();
    await azure.collect(subscription);
    const seconds = (azure.clock.now() - start) / 1_000;
    expect(azure.queries().length).toBeGreaterThan(5);
    expect((azure.queries().length - 1) / seconds).toBeLessThanOrEqual(0.6 + 1e-9);
  });
});

test('a collection completes although calls are throttled, fail and break off', async () => {
  const vaults = Array.from({ length: 40 }, (_, index) => row('Microsoft.KeyVault/vaults', `vault${index}`));
  azure.tables = { resources: vaults };
  azure.replies = Object.fromEntries(
    vaults.map(({ id }) => [`${id}/secrets`.toLowerCase(), [{ id: `${id}/secrets/one`, name: 'one' }]]),
  );
  let calls = 0;
  azure.intercept = () => {
    calls++;
    if (calls % 10 === 0) return error(429, 'TooManyRequests', 'Slow down.', { 'retry-after': '1' });
    return calls % 20 === 5 ? 'reset' : calls % 20 === 15 ? { status: 502, body: '<html>' } : undefined;
  };
  const { results } = await azure.collect(subscription);
  expect(results.get('LW_CFG_AZURE_KEYVAULT_VAULTS')).toMatchObject({ status: 'collected', resources: 40 });
  expect(results.get('LW_CFG_AZURE_KEYVAULT_VAULTS_SECRETS')).toMatchObject({
    status: 'collected',
    resources: 40,
  });
  expect([...results.values()].filter(({ status }) => !['collected', 'empty'].includes(status))).toEqual([]);
});

describe('what could not be read', () => {
  test('is a failure where Resource Graph truncated its result', async () => {
    azure.intercept = ({ url, body }) =>
      url.includes('ResourceGraph') && body.includes('"resources |')
        ? json({ totalRecords: 9, count: 1, data: [storage('logs')], resultTruncated: 'true' })
        : undefined;
    const { sink, results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({
      status: 'failed',
      reason: 'Resource Graph truncated its result for resources, and returned no next page.',
    });
    expect(sink.of(accounts)).toMatchObject([{ parts: 0, resources: [] }]);
  });

  test('is denied for types that no role at the subscription allows', async () => {
    azure.actions = ['Microsoft.Storage/*/read', 'Microsoft.Compute/disks/read'];
    azure.tables = { resources: [storage('logs'), row('Microsoft.KeyVault/vaults', 'keys')] };
    const { results } = await azure.collect(subscription);
    expect(results.get(accounts)).toMatchObject({ status: 'collected' });
    expect(results.get('LW_CFG_AZURE_COMPUTE_DISKS')).toMatchObject({ status: 'empty' });
    for (const kind of ['LW_CFG_AZURE_KEYVAULT_VAULTS', 'LW_CFG_AZURE_KEYVAULT_VAULTS_KEYS'])
      expect(results.get(kind)).toMatchObject({
        status: 'denied',
        reason: `No role of the credential at subscription ${subscription} allows Microsoft.KeyVault/vaults/read.`,
        permission: 'Microsoft.KeyVault/vaults/read',
      });
  });

  test('is denied with the action that would help, or not enabled', async () => {
    const providers = `/subscriptions/${subscription}/providers`;
    azure.tables = { resources: [storage('one'), storage('two')] };
    azure.replies = {
      [below('one', 'blobServices/default')]: error(403, 'AuthorizationFailed', 'No authorization.'),
      [below('two', 'blobServices/default')]: { properties: { isVersioningEnabled: false } },
      [below('one', 'encryptionScopes')]: error(403, 'AuthorizationFailed', 'No authorization.'),
      [`${providers}/microsoft.security/securitycontacts`]: error(
        ...([409, 'MissingSubscriptionRegistration', 'Not registered to use Microsoft.Security.'] as const),
      ),
      [`${providers}/microsoft.authorization/locks`]: error(400, 'BadRequest', 'Odd.'),
      [`${providers}/microsoft.insights/logprofiles`]: error(404, 'SubscriptionNotFound', 'Not found.'),
    };
    const { sink, results } = await azure.collect(subscription);
    const services = 'LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS_BLOBSERVICES';
    expect(results.get(services)).toMatchObject({
      status: 'denied',
      resources: 1,
      unread: 1,
      permission: 'Microsoft.Storage/storageAccounts/blobServices/read',
    });
    expect(sink.of(services)[0]?.unread).toMatchObject([
      { key: below('one', 'blobServices/default'), status: 'denied' },
    ]);
    expect(results.get('LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS_ENCRYPTIONSCOPES')).toMatchObject({
      status: 'denied',
      resources: 0,
    });
    expect(results.get('LW_CFG_AZURE_SECURITY_SECURITYCONTACTS')).toMatchObject({ status: 'not enabled' });
    expect(results.get('LW_CFG_AZURE_INSIGHTS_LOGPROFILES')).toMatchObject({
      status: 'denied',
      resources: 0,
    });
    expect(results.get('LW_CFG_AZURE_AUTHORIZATION_LOCKS')).toMatchObject({
      status: 'failed',
      reason: `providers/Microsoft.Authorization/locks of /subscriptions/${subscription}: 400 BadRequest: Odd.`,
    });
  });

  test('is not asked again and again where it is refused everywhere', async () => {
    azure.tables = { resources: Array.from({ length: 50 }, (_, index) => storage(`account${index}`)) };
    azure.intercept = ({ url }) =>
      /blobServices\/default\?/.test(url)
        ? error(403, 'AuthorizationFailed', 'No authorization.')
        : undefined;
    const { results } = await azure.collect(subscription);
    const kind = 'LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS_BLOBSERVICES';
    expect(results.get(kind)).toMatchObject({ status: 'denied', resources: 0 });
    expect(azure.paths().filter((path) => path.endsWith('/blobServices/default'))).toHaveLength(10);
  });

  test('is a table that the cloud does not have', async () => {
    azure.intercept = ({ body }) =>
      body.includes('guestconfigurationresources')
        ? {
            status: 400,
            body: JSON.stringify({
              error: {
                ...{ code: 'BadRequest', message: 'Please provide below info when asking for support' },
                details: [
                  {
                    code: 'DisallowedLogicalTableName',
                    message: 'Table is invalid, unsupported or disallowed.',
                  },
                ],
              },
            }),
          }
        : undefined;
    const { results } = await azure.collect(subscription);
    expect(results.get('LW_CFG_AZURE_GUESTCONFIGURATION_GUESTCONFIGURATIONASSIGNMENTS')).toMatchObject({
      status: 'not enabled',
      reason: expect.stringContaining('Table is invalid, unsupported or disallowed.'),
    });
    expect(results.get(accounts)).toMatchObject({ status: 'empty' });
  });
});
