import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  AssetServer,
  assetHosts,
  errorReply,
  hierarchyAssets,
  json,
  planted,
} from '../../testing/asset-server.ts';
import { collectDeps, collected } from '../../testing/gcp-collection.ts';
import { Receiver } from '../../testing/receiver.ts';

const [instance, bucket, firewall] = [
  'compute.googleapis.com/Instance',
  'storage.googleapis.com/Bucket',
  'compute.googleapis.com/Firewall',
];
const instances = 'LW_CFG_GCP_COMPUTE_INSTANCE';
const firewalls = 'LW_CFG_GCP_COMPUTE_FIREWALL';
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

const types = (url: URL) => url.searchParams.getAll('assetTypes');

describe('an answer in another form', () => {
  const isCompute = (url: URL) => types(url).includes(instance);
  const row = (assetType: string, more: object) => ({ ...planted(assetType, 'x', {}), ...more });

  test.each<[string, object]>([
    ['a name of 10 MB', { name: 'x'.repeat(10_000_000) }],
    ['no name', { name: undefined }],
    ['a number as name', { name: 7 }],
    ['ancestors that are no array', { ancestors: 'projects/1001' }],
    ['a resource that is an array', { resource: [] }],
    ['data that is a string', { resource: { data: 'x' } }],
    ['a location that is an object', { resource: { data: {}, location: {} } }],
    ['a configuration of 5 MB', { resource: { data: { a: 'x'.repeat(5_000_000) } } }],
  ])('ends the kind only: %s', async (_, more) => {
    server.assets.push(planted(firewall, 'f', {}), row(instance, more) as never, planted(firewall, 'g', {}));
    server.before = (url) =>
      isCompute(url)
        ? json({ assets: [planted(firewall, 'f', {}), row(instance, more), planted(firewall, 'g', {})] })
        : undefined;
    const { results } = await collected(collectDeps(receiver));
    expect(results.get(instances)).toMatchObject({ status: 'failed', resources: 0 });
    expect(results.get(instances)?.reason.length).toBeLessThanOrEqual(500);
    expect(results.get(firewalls)).toMatchObject({ status: 'collected', resources: 2 });
  });

  test.each([101, 50_000])('ends the kind only: a configuration of %i levels', async (depth) => {
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const asset = JSON.stringify(planted(instance, 'x', { deep: 'DEEP' })).replace('"DEEP"', deep);
    server.before = (url) =>
      isCompute(url)
        ? { body: `{"assets":[${asset},${JSON.stringify(planted(firewall, 'f', {}))}]}` }
        : undefined;
    const { results } = await collected(collectDeps(receiver));
    expect(results.get(instances)).toMatchObject({
      status: 'failed',
      reason: 'The configuration of //compute.googleapis.com/x is nested more than 100 levels deep.',
    });
    expect(results.get(firewalls)).toMatchObject({ status: 'collected', resources: 1 });
  });

  test('keeps a resource that is listed without its content', async () => {
    server.before = (url) =>
      isCompute(url)
        ? json({ assets: [row(instance, { resource: undefined }), planted(firewall, 'f', {})] })
        : undefined;
    const { results, sink } = await collected(collectDeps(receiver));
    expect(results.get(instances)).toMatchObject({
      status: 'failed',
      reason:
        '1 of 1 could not be read. Cloud Asset Inventory: //compute.googleapis.com/x was listed without its resource.',
    });
    expect(sink.of(instances)[0]?.unread).toMatchObject([
      { key: '//compute.googleapis.com/x', status: 'failed' },
    ]);
    expect(results.get(firewalls)).toMatchObject({ status: 'collected', resources: 1 });
  });

  test('may have more than was asked for: other types and contents are ignored', async () => {
    server.before = (url) =>
      isCompute(url)
        ? json({ assets: [row(bucket, {}), row('x/Y', {}), row(instance, { iamPolicy: { bindings: [] } })] })
        : undefined;
    const { results, statusOf } = await collected(collectDeps(receiver));
    expect(results.get(instances)).toMatchObject({ status: 'collected', resources: 1 });
    expect([statusOf(buckets), statusOf(`${instances}_IAMPOLICY`)]).toEqual(['empty', 'empty']);
  });

  test('that rejects an asset type after the first page ends the listing', async () => {
    plantInstances(3);
    server.maxPage = 2;
    server.before = (url) =>
      isCompute(url) && url.searchParams.has('pageToken')
        ? errorReply(400, 'INVALID_ARGUMENT', `No RESOURCE found that matches asset type ${firewall}`)
        : undefined;
    expect((await collected(collectDeps(receiver))).results.get(instances)).toMatchObject({
      status: 'failed',
      resources: 0,
    });
  });

  test.each<[string, string, string]>([
    ['no JSON', '<html>', 'the reply is not a JSON object.'],
    ['an array', '[]', 'the reply is not a JSON object.'],
    ['assets that are no array', '{"assets":{}}', 'assets is not an array, or nextPageToken not a string.'],
    [
      'a token that is no string',
      '{"nextPageToken":{}}',
      'assets is not an array, or nextPageToken not a string.',
    ],
    ['an asset without type', '{"assets":[null]}', 'An asset has no type.'],
  ])('ends the listing only: %s', async (_, body, reason) => {
    server.before = (url) => (isCompute(url) ? { body } : undefined);
    const { results, statusOf } = await collected(collectDeps(receiver));
    expect(results.get(instances)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(reason),
    });
    expect([statusOf(projects), statusOf(buckets)]).toEqual(['collected', 'empty']);
  });

  test.each<[string, (call: number) => object, string, number]>([
    ['repeats a token', () => ({ assets: [{}], nextPageToken: 'again' }), 'the page token is repeated.', 2],
    [
      'has no end',
      (call) => ({ nextPageToken: `t${call}` }),
      'the pages do not end after 21, of which 21 empty.',
      21,
    ],
  ])('is cut if it %s', async (_, page, reason, calls) => {
    let call = 0;
    server.before = (url) => (isCompute(url) ? json({ ...page(call++), assets: [] }) : undefined);
    const { results } = await collected(collectDeps(receiver));
    expect(results.get(instances)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(reason),
    });
    expect(call).toBe(calls);
  });

  test('is asked for in smaller pages if it is too large', async () => {
    plantInstances(40);
    const large = 'x'.repeat(33 * 1024 * 1024);
    server.before = (url) =>
      isCompute(url) && Number(url.searchParams.get('pageSize')) > 10 ? { body: large } : undefined;
    const { sink } = await collected(collectDeps(receiver));
    expect(Object.keys(sink.configs(instances))).toHaveLength(40);
  });
});
