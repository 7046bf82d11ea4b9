import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Resource } from '../../telemetry/resource.ts';
import {
  AssetServer,
  assetHosts,
  hierarchyAssets,
  type PlantedAsset,
  planted,
} from '../../testing/asset-server.ts';
import { collectDeps, collected } from '../../testing/gcp-collection.ts';
import { Receiver } from '../../testing/receiver.ts';
import { AssetImport } from './asset-import.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start(assetHosts);
});
afterAll(() => receiver.close());

const policy = {
  version: 1,
  bindings: [{ role: 'roles/viewer', members: ['allUsers'], condition: { title: 't', expression: 'e' } }],
  auditConfigs: [
    { service: 'allServices', auditLogConfigs: [{ logType: 'DATA_READ', exemptedMembers: ['user:a'] }] },
  ],
};
const assets: PlantedAsset[] = [
  planted(
    'compute.googleapis.com/Instance',
    'projects/shop/zones/z/instances/a',
    { metadata: { items: [{ key: 's', value: 'canary' }] } },
    'us-east1-b',
  ),
  { ...planted('storage.googleapis.com/Bucket', 'b', { labels: { a: 'b' } }, 'EU'), iamPolicy: policy },
  // The project comes after what is in it.
  ...hierarchyAssets.slice(0, 1),
];

/** Export files are written with the names of protocol buffers. */
function exported({ assetType, iamPolicy, ...rest }: PlantedAsset): string[] {
  const { resource, ...identity } = { ...rest, asset_type: assetType, update_time: '2026-03-01T11:00:00Z' };
  const snake = JSON.stringify(iamPolicy)?.replaceAll(/"(\w+)":/g, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  return [
    JSON.stringify({ ...identity, resource }),
    ...(snake ? [JSON.stringify({ ...identity, iam_policy: JSON.parse(snake) })] : []),
  ];
}

async function imported(lines: readonly string[]) {
  const opened = await AssetImport.open(() => lines);
  const found: Record<string, Resource[]> = {};
  for await (const { kind, resource } of opened.resources()) found[kind] = [...(found[kind] ?? []), resource];
  return { parent: opened.parent, found };
}

test('an export has the same resources as a collection', async () => {
  new AssetServer(receiver).assets.push(...assets);
  const { sink } = await collected(collectDeps(receiver));
  const { parent, found } = await imported([...assets.flatMap(exported), '']);
  const collectedKinds = sink.snapshots.filter(({ resources }) => resources.length > 0);
  expect(Object.keys(found).sort()).toEqual(collectedKinds.map(({ kind }) => kind).sort());
  for (const { kind, resources } of collectedKinds) expect(found[kind], kind).toEqual(resources);
  expect(parent).toBe('projects/shop');
  expect(found.LW_CFG_GCP_STORAGE_BUCKET_IAMPOLICY?.map(({ config }) => JSON.parse(config))).toEqual([
    policy,
  ]);
  expect(JSON.stringify(found)).not.toContain('canary');
});

test('an export of an organization is about that', async () => {
  const { parent, found } = await imported([...hierarchyAssets, ...assets].flatMap(exported));
  expect(parent).toBe('organizations/3001');
  expect(found.LW_CFG_GCP_COMPUTE_INSTANCE?.[0]?.facts).toMatchObject({
    FOLDER_NAMES: '["Web"]',
    PROJECT_ID: 'shop',
  });
});

test.each<[string, string[], string]>([
  [
    'is no JSON',
    [...exported(assets[0] as PlantedAsset), '{'],
    'Line 2 is not an asset of an export: It is not valid JSON.',
  ],
  [
    'is no asset',
    ['{"a":1}'],
    'Line 1 is not an asset of an export: Cloud Asset Inventory: An asset has no type.',
  ],
  [
    'is empty',
    [],
    'The assets have no project, folder or organization in common: import one export at a time.',
  ],
])('a file that %s is refused', async (_, lines, message) => {
  await expect(imported(lines)).rejects.toThrow(message);
});

test('assets that the service does not know are left out', async () => {
  const other = planted('dns.googleapis.com/ResourceRecordSet', 'r', {});
  expect((await imported(exported(other))).found).toEqual({});
});
