import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { shippedPacks } from '../../detection/packs/pack.ts';
import { inGroup, loadAssetKinds } from './asset-kinds.ts';
import { describeGcp } from './description.ts';
import { gcpPermissions } from './permissions.ts';
import { type AssetGroup, assetGroups } from './service.ts';

const kinds = await loadAssetKinds();
const described = await describeGcp();
const filled = new Set(described.map(({ kind }) => kind));
const packs = shippedPacks();
const listed = new Map(
  readFileSync(new URL('datasources/resources.tsv', packs), 'utf8')
    .split('\n')
    .map((line) => line.split('\t') as [string, string, string])
    .map(([name, , call]) => [name, call]),
);

/** Of collectors and their second wave: the asset types whose resources checks read. */
const required = [
  ...['Organization', 'Folder', 'Project'].map((type) => `cloudresourcemanager.googleapis.com/${type}`),
  ...['ServiceAccount', 'ServiceAccountKey', 'Role'].map((type) => `iam.googleapis.com/${type}`),
  ...['Instance', 'Disk', 'Snapshot', 'Image', 'Firewall', 'Network', 'Subnetwork', 'Address', 'Project'].map(
    (type) => `compute.googleapis.com/${type}`,
  ),
  ...['SslPolicy', 'TargetHttpsProxy', 'BackendService', 'UrlMap'].map(
    (type) => `compute.googleapis.com/${type}`,
  ),
  ...[
    'apikeys.googleapis.com/Key',
    'serviceusage.googleapis.com/Service',
    'essentialcontacts.googleapis.com/Contact',
  ],
  ...['dns.googleapis.com/ManagedZone', 'dns.googleapis.com/Policy', 'storage.googleapis.com/Bucket'],
  ...['bigquery.googleapis.com/Dataset', 'bigquery.googleapis.com/Table', 'sqladmin.googleapis.com/Instance'],
  ...['cloudkms.googleapis.com/CryptoKey', 'monitoring.googleapis.com/AlertPolicy'],
  ...['LogSink', 'LogMetric', 'LogBucket'].map((type) => `logging.googleapis.com/${type}`),
  ...['container.googleapis.com/Cluster', 'container.googleapis.com/NodePool', 'run.googleapis.com/Service'],
  ...['cloudfunctions.googleapis.com/Function', 'cloudfunctions.googleapis.com/CloudFunction'],
  ...[
    'appengine.googleapis.com/Version',
    'secretmanager.googleapis.com/Secret',
    'pubsub.googleapis.com/Topic',
  ],
  ...[
    'dataproc.googleapis.com/Cluster',
    'alloydb.googleapis.com/Instance',
    'artifactregistry.googleapis.com/Repository',
  ],
  ...[
    'identity.accesscontextmanager.googleapis.com/ServicePerimeter',
    'accessapproval.googleapis.com/AccessApprovalSettings',
  ],
  ...['k8s.io/Pod', 'k8s.io/Node', 'rbac.authorization.k8s.io/ClusterRole'],
];

describe('the declarations of Google Cloud', () => {
  test('have every asset type that checks read', () => {
    expect(required.filter((type) => !kinds.has(type))).toEqual([]);
    expect(kinds.size).toBeGreaterThan(180);
  });

  test('fill datasources of the catalogue only, each once', () => {
    const names = [...filled];
    expect(names.filter((name) => !listed.has(name))).toEqual([]);
    expect(described.map(({ kind }) => kind)).toEqual(names);
    // Two generations of functions are one kind; every other type has its own.
    const resources = [...kinds.values()].map(({ kind }) => kind);
    expect(resources.filter((kind, index) => resources.indexOf(kind) !== index)).toEqual([
      'LW_CFG_GCP_CLOUDFUNCTIONS_CLOUDFUNCTION',
    ]);
  });

  test('have an IAM policy datasource wherever the catalogue has one', () => {
    const expected = [...kinds.values()]
      .map(({ kind }) => `${kind}_IAMPOLICY`)
      .filter((name) => listed.has(name));
    expect(expected.filter((name) => !filled.has(name))).toEqual([]);
  });

  test('leave few datasources of the catalogue unfilled', () => {
    const missing = [...listed.keys()].filter((name) => name.startsWith('LW_CFG_GCP_') && !filled.has(name));
    expect(
      missing.filter((name) => !/GAMESERVICES|CONTAINERREGISTRY|REPORT(_IAMPOLICY)?$/.test(name)),
    ).toEqual(['LW_CFG_GCP_ALL', 'LW_CFG_GCP_IAM_IAMPOLICY_ALL']);
  });

  test('fill every datasource that a built-in policy or query reads', () => {
    const texts = readdirSync(packs, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?:policies|queries)\b.*\.(?:lql|ya?ml)$/.test(file))
      .map((file) => readFileSync(new URL(file, packs), 'utf8'));
    expect(texts.length).toBeGreaterThan(100);
    const read = new Set(texts.flatMap((text) => text.match(/\bLW_CFG_GCP_\w+/g) ?? []));
    const unions = ['LW_CFG_GCP_ALL', 'LW_CFG_GCP_DEFAULT_PROFILE'];
    expect([...read].filter((name) => !filled.has(name) && !unions.includes(name))).toEqual([]);
  });

  test('are listed in addresses of moderate length', () => {
    for (const group of Object.keys(assetGroups) as AssetGroup[]) {
      const query = inGroup(kinds, group).map(
        ({ assetType }) => `assetTypes=${encodeURIComponent(assetType)}`,
      );
      expect(inGroup(kinds, group).length, group).toBeGreaterThan(10);
      expect(query.join('&').length, group).toBeLessThan(6_000);
    }
  });
});

describe('the description of a kind', () => {
  test('names its asset types, call, permission and redactions', () => {
    const find = (name: string) => described.find(({ kind }) => kind === name);
    expect(find('LW_CFG_GCP_CLOUDFUNCTIONS_CLOUDFUNCTION')).toEqual({
      kind: 'LW_CFG_GCP_CLOUDFUNCTIONS_CLOUDFUNCTION',
      service: 'Cloud Functions',
      call: 'assets.list RESOURCE',
      resourceType: 'cloudfunctions.googleapis.com/CloudFunction, cloudfunctions.googleapis.com/Function',
      isGlobal: true,
      permissions: ['cloudasset.assets.listResource'],
      redactions: expect.arrayContaining(['environmentVariables.*', 'serviceConfig.environmentVariables.*']),
    });
    expect(find('LW_CFG_GCP_STORAGE_BUCKET_IAMPOLICY')).toMatchObject({
      call: 'assets.list IAM_POLICY',
      permissions: ['cloudasset.assets.listIamPolicy'],
      redactions: [],
    });
  });

  test('leads to the permissions', async () => {
    const { permissions, plain, terraform } = await gcpPermissions();
    expect(permissions).toEqual(['cloudasset.assets.listIamPolicy', 'cloudasset.assets.listResource']);
    for (const text of [plain, terraform])
      for (const part of [...permissions, 'cloudasset.googleapis.com']) expect(text).toContain(part);
    expect(terraform.split('{').length).toBe(terraform.split('}').length);
  });
});
