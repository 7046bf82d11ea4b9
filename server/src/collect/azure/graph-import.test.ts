import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeAzure, row, subscription, tenant } from '../../testing/azure.ts';
import { importAzureGraph } from './graph-import.ts';

let azure: FakeAzure;
beforeAll(async () => {
  azure = await FakeAzure.start();
});
afterAll(() => azure.close());

const rows = [
  row(
    'Microsoft.Storage/storageAccounts',
    'logs',
    { allowBlobPublicAccess: true },
    { sku: { name: 'Standard_LRS' } },
  ),
  row('Microsoft.Compute/disks', 'disk', { diskState: 'Unattached' }),
];
const subscriptionRow = {
  ...{ id: `/subscriptions/${subscription}`, name: 'Shop', type: 'microsoft.resources/subscriptions' },
  ...{ tenantId: tenant, subscriptionId: subscription, properties: { state: 'Enabled' } },
};

test('an exported file has the same resources as a collection', async () => {
  azure.tables = { resources: rows, resourcecontainers: [subscriptionRow] };
  const { sink } = await azure.collect(subscription);
  const file = { count: 3, data: [...rows, subscriptionRow, rows[0]], total_records: 3 };
  const { kinds, ignored } = await importAzureGraph(file);
  expect(kinds.map(({ kind, cloudAccount }) => [kind, cloudAccount])).toEqual([
    ['LW_CFG_AZURE_STORAGE_STORAGEACCOUNTS', subscription],
    ['LW_CFG_AZURE_COMPUTE_DISKS', subscription],
    ['LW_CFG_AZURE_RESOURCES_SUBSCRIPTIONS', subscription],
  ]);
  for (const { kind, resources } of kinds) {
    const collected = sink.of(kind)[0]?.resources.map((one) => ({
      ...one,
      facts: { ...one.facts, TENANT_NAME: '' },
    }));
    expect(resources).toEqual(collected);
    expect(resources).toHaveLength(1);
  }
  expect(ignored).toEqual({});
});

test('a plain array is a file too, and types that are not collected are counted', async () => {
  const other = row('Contoso.Shop/carts', 'one');
  const { kinds, ignored } = await importAzureGraph([rows[0], other, other]);
  expect(kinds).toHaveLength(1);
  expect(ignored).toEqual({ 'contoso.shop/carts': 2 });
});

test.each<[string, unknown, string]>([
  [
    'something else',
    { value: [] },
    'The file is neither an array of resources nor an object with the array data',
  ],
  ['null', null, 'The file is neither an array'],
  [
    'a row without a type',
    [rows[0], { id: 'x' }],
    'data[1] has no id or no type: keep the columns id and type',
  ],
  [
    'a row without a scope',
    [{ id: '/providers/x', type: 'microsoft.compute/disks' }],
    'data[0] names neither a subscription nor a tenant',
  ],
])('a file with %s is refused with what to do', async (_, file, message) => {
  await expect(importAzureGraph(file)).rejects.toThrow(message);
});
