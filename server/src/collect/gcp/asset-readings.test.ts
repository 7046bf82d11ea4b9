import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  AssetServer,
  assetHosts,
  errorReply,
  hierarchyAssets,
  planted,
  plantedPolicy,
} from '../../testing/asset-server.ts';
import { collectDeps, collected, integrationData } from '../../testing/gcp-collection.ts';
import { Receiver } from '../../testing/receiver.ts';
import { gcpTargets } from './targets.ts';

const [instance, bucket, topic] = [
  'compute.googleapis.com/Instance',
  'storage.googleapis.com/Bucket',
  'pubsub.googleapis.com/Topic',
];
const instances = 'LW_CFG_GCP_COMPUTE_INSTANCE';
const buckets = 'LW_CFG_GCP_STORAGE_BUCKET';
const projects = 'LW_CFG_GCP_CLOUDRESOURCEMANAGER_PROJECT';

let receiver: Receiver;
let server: AssetServer;
beforeAll(async () => {
  receiver = await Receiver.start(assetHosts);
});
beforeEach(() => {
  receiver.forget();
  server = new AssetServer(receiver);
  server.assets.push(...hierarchyAssets);
});
afterAll(() => receiver.close());

function plantInstances(count: number): void {
  for (let number = 0; number < count; number++)
    server.assets.push(
      planted(
        instance,
        `projects/shop/zones/europe-west1-b/instances/web-${number}`,
        { number },
        'europe-west1-b',
      ),
    );
}

describe('a collection of a project', () => {
  test('stores every resource and IAM policy with its facts, from few calls', async () => {
    plantInstances(2_345);
    server.assets.push(
      {
        ...planted(bucket, 'shop-images', { labels: { a: 'b' } }, 'US'),
        iamPolicy: { bindings: [{ role: 'r' }] },
      },
      plantedPolicy('compute.googleapis.com/Image', 'projects/shop/regions/us-east1/images/i', { etag: 'x' }),
    );
    const deps = collectDeps(receiver);
    const { sink, results } = await collected(deps);
    const names = Array.from({ length: 2_345 }, (_, number) => [
      `//compute.googleapis.com/projects/shop/zones/europe-west1-b/instances/web-${number}`,
      { number },
    ]);
    expect(sink.configs(instances)).toEqual(Object.fromEntries(names));
    const [snapshot] = sink.of(buckets);
    const hierarchy = {
      ...{ ORGANIZATION_ID: '3001', PROJECT_NUMBER: '1001', PROJECT_ID: 'shop', PROJECT_NAME: 'The shop' },
      ...{ ORGANIZATION_NAME: 'amberwood.example', FOLDER_IDS: '["2001"]', FOLDER_NAMES: '["Web"]' },
    };
    const name = '//storage.googleapis.com/shop-images';
    const facts = { URN: name, RESOURCE_ID: name, RESOURCE_TYPE: bucket, SERVICE: 'storage', ...hierarchy };
    expect(snapshot).toMatchObject({ cloudAccount: 'projects/shop', region: 'global', status: 'collected' });
    expect(snapshot?.resources).toEqual([
      {
        key: name,
        facts: {
          ...{ ...facts, API_KEY: 'resource', RESOURCE_REGION: 'us' },
          PARENT_RESOURCE_ID: '//cloudresourcemanager.googleapis.com/projects/1001',
        },
        config: '{"labels":{"a":"b"}}',
        tags: '{"a":"b"}',
      },
    ]);
    for (const kind of [`${buckets}_IAMPOLICY`, `${buckets}_POLICY`])
      expect(sink.of(kind)[0]?.resources).toEqual([
        {
          ...{ key: name, config: '{"bindings":[{"role":"r"}]}', tags: undefined },
          facts: { ...facts, API_KEY: 'iam-policy' },
        },
      ]);
    expect(sink.of(instances)[0]?.resources[0]?.facts).toMatchObject({ RESOURCE_REGION: 'europe-west1' });
    const [image] = sink.of('LW_CFG_GCP_COMPUTE_IMAGE_IAMPOLICY')[0]?.resources ?? [];
    expect(image?.facts).toMatchObject({ RESOURCE_REGION: 'us-east1', PROJECT_ID: 'shop' });
    expect(sink.of('LW_CFG_GCP_COMPUTE_IMAGE')[0]).toMatchObject({ status: 'empty', reason: '' });
    expect(
      [...results.values()].filter(({ status }) => status !== 'collected' && status !== 'empty'),
    ).toEqual([]);
    // Projects, six groups and policies, and two more pages of instances.
    expect(server.listings).toHaveLength(10);
    expect(server.listings.every(({ pathname }) => pathname === '/v1/projects/shop/assets')).toBe(true);
  });

  test('asks an organization by its number', async () => {
    const { sink } = await collected(collectDeps(receiver), {
      ...{ ...integrationData, idType: 'ORGANIZATION', id: '3001' },
    });
    expect(server.listings[0]?.pathname).toBe('/v1/organizations/3001/assets');
    expect(sink.of(projects)[0]).toMatchObject({ cloudAccount: 'organizations/3001', status: 'collected' });
  });

  test.each([
    ['PROJECT', 'a/b', 'the id of a project'],
    ['ORGANIZATION', 'amberwood.example', 'the number of an organization'],
  ])('of type %s can not be %s', async (idType, id, expected) => {
    const deps = collectDeps(receiver);
    expect(await gcpTargets({ ...integrationData, idType, id }, deps)).toEqual({
      targets: [],
      problems: [
        { status: 'failed', reason: `data.id has an invalid value: '${id}'. It must be ${expected}.` },
      ],
    });
  });

  test('goes on without asset types that the API does not know', async () => {
    plantInstances(3);
    server.assets.push(planted('cloudfunctions.googleapis.com/Function', 'projects/shop/functions/f', {}));
    for (const type of [
      'dns.googleapis.com/Policy',
      'tpu.googleapis.com/Node',
      'cloudfunctions.googleapis.com/CloudFunction',
    ])
      server.unknownTypes.add(type);
    const { results, statusOf } = await collected(collectDeps(receiver));
    expect(results.get('LW_CFG_GCP_DNS_POLICY')).toMatchObject({
      status: 'not enabled',
      reason: 'Cloud Asset Inventory does not list dns.googleapis.com/Policy.',
    });
    expect(statusOf('LW_CFG_GCP_TPU_NODE')).toBe('not enabled');
    expect(results.get(instances)).toMatchObject({ status: 'collected', resources: 3 });
    // The other asset type of the kind is known.
    expect(results.get('LW_CFG_GCP_CLOUDFUNCTIONS_CLOUDFUNCTION')).toMatchObject({
      resources: 1,
      status: 'collected',
    });
  });
});

test('a function that is listed with both of its asset types is stored once', async () => {
  for (const type of ['CloudFunction', 'Function'])
    server.assets.push(
      planted(`cloudfunctions.googleapis.com/${type}`, 'projects/shop/functions/f', { type }),
    );
  const { sink } = await collected(collectDeps(receiver));
  const [snapshot] = sink.of('LW_CFG_GCP_CLOUDFUNCTIONS_CLOUDFUNCTION');
  expect(snapshot?.resources.map(({ config }) => config)).toEqual(['{"type":"CloudFunction"}']);
});

describe('throttling', () => {
  test('is waited for as long as the server asks, inside the budget, and nothing is lost', async () => {
    plantInstances(2_500);
    const deps = collectDeps(receiver, 0.2);
    const times: number[] = [];
    let calls = 0;
    let notBefore = 0;
    let early = 0;
    server.before = () => {
      times.push(deps.clock.now());
      if (deps.clock.now() < notBefore) early++;
      calls++;
      if (calls % 4 === 0) {
        notBefore = deps.clock.now() + 7_000;
        return {
          ...(errorReply(429, 'RESOURCE_EXHAUSTED', 'Quota.') as object),
          headers: { 'retry-after': '7' },
        };
      }
      return calls % 5 === 0
        ? errorReply(503, 'UNAVAILABLE', 'Later.')
        : calls % 7 === 0
          ? 'reset'
          : undefined;
    };
    // One reading at a time: calls that are on their way when another is throttled arrive nevertheless.
    const { results, sink } = await collected(deps, integrationData, 1);
    expect([early, notBefore > 0]).toEqual([0, true]);
    expect(Object.keys(sink.configs(instances))).toHaveLength(2_500);
    expect([...results.values()].some(({ status }) => status === 'failed')).toBe(false);
    // A fifth of 100 calls a minute: 3 seconds each, as they were let through.
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    expect((last - first) / (times.length - 1)).toBeGreaterThanOrEqual(3_000);
    const [usage] = deps.budget.usage().filter(({ api }) => api === 'cloudasset');
    expect(usage).toMatchObject({ calls: times.length });
    expect(usage?.share).toBeLessThanOrEqual(0.2);
  });

  test('that does not end fails the listing after eight attempts', async () => {
    server.before = (url) =>
      types(url).includes(topic) ? errorReply(503, 'UNAVAILABLE', 'Later.') : undefined;
    const { results, statusOf } = await collected(collectDeps(receiver));
    expect(results.get('LW_CFG_GCP_PUBSUB_TOPIC')).toMatchObject({
      status: 'failed',
      reason: 'assets.list RESOURCE of projects/shop: 503 UNAVAILABLE: Later.',
    });
    expect(server.listings.filter((url) => types(url).includes(topic))).toHaveLength(8);
    expect(statusOf(projects)).toBe('collected');
  });
});

const types = (url: URL) => url.searchParams.getAll('assetTypes');

describe('access', () => {
  test('that is missing is a denial with the permission that would help', async () => {
    server.before = (url) =>
      url.searchParams.get('contentType') === 'IAM_POLICY'
        ? errorReply(403, 'PERMISSION_DENIED', "Permission 'cloudasset.assets.listIamPolicy' denied.", {
            reason: 'IAM_PERMISSION_DENIED',
            metadata: { permission: 'cloudasset.assets.listIamPolicy' },
          })
        : undefined;
    const { results, statusOf } = await collected(collectDeps(receiver));
    expect(results.get(`${projects}_IAMPOLICY`)).toMatchObject({
      status: 'denied',
      permission: 'cloudasset.assets.listIamPolicy',
      resources: 0,
    });
    expect(statusOf(projects)).toBe('collected');
    expect(server.listings).toHaveLength(8);
  });

  test('to nothing at all costs one call', async () => {
    server.before = () => errorReply(403, 'PERMISSION_DENIED', 'The caller does not have permission');
    const { results } = await collected(collectDeps(receiver));
    expect(new Set([...results.values()].map(({ status }) => status))).toEqual(new Set(['denied']));
    expect(results.get(instances)).toMatchObject({
      permission: 'cloudasset.assets.listResource',
      reason:
        'assets.list RESOURCE of projects/shop: 403 PERMISSION_DENIED: The caller does not have permission',
    });
    expect(server.listings).toHaveLength(1);
  });

  test('to an API that is off is not enabled, and says where to enable it', async () => {
    server.before = () =>
      errorReply(403, 'PERMISSION_DENIED', 'Cloud Asset API has not been used in project 42 before.', {
        reason: 'SERVICE_DISABLED',
        metadata: { service: 'cloudasset.googleapis.com', consumer: 'projects/42' },
      });
    const { results } = await collected(collectDeps(receiver));
    expect(results.get(instances)).toMatchObject({
      status: 'not enabled',
      reason: expect.stringContaining('enable cloudasset.googleapis.com in projects/42.'),
    });
  });

  test('with a token that was revoked is tried once with another', async () => {
    let rejections = 1;
    server.before = () => (rejections-- > 0 ? errorReply(401, 'UNAUTHENTICATED', 'Revoked.') : undefined);
    expect((await collected(collectDeps(receiver))).statusOf(projects)).toBe('collected');
    expect(receiver.received.filter(({ url }) => url.includes('oauth2'))).toHaveLength(2);
    rejections = Number.POSITIVE_INFINITY;
    const { results } = await collected(collectDeps(receiver));
    expect(results.get(projects)).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('Revoked.'),
    });
  });

  test('with a key that Google refuses is denied, without the assertion in the reason', async () => {
    receiver.react = ({ body }) => ({
      status: 400,
      body: JSON.stringify({ error: 'invalid_grant', error_description: `Invalid JWT ${body}` }),
    });
    const { results } = await collected(collectDeps(receiver));
    const { status, reason } = results.get(projects) ?? {};
    expect([status, reason]).toEqual(['denied', expect.stringContaining('invalid_grant: Invalid JWT')]);
    expect(reason).not.toMatch(/eyJ/);
  });

  test('never shows a token that an error repeats', async () => {
    server.before = (_, { headers }) => errorReply(403, 'PERMISSION_DENIED', `Got ${headers.authorization}`);
    const { results } = await collected(collectDeps(receiver));
    expect(results.get(projects)?.reason).toContain('Got Bearer ***');
  });
});
