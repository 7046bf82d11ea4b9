import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ScopeResult } from '../inventory/snapshot-writer.ts';
import { type ClusterReply, SampleCluster } from './cluster.sample.ts';
import { collected, connectionTo, type SampleDeps, sampleDeps } from './collection.sample.ts';
import { fill, metadata } from './objects.sample.ts';
import { targetOf } from './targets.ts';

let cluster: SampleCluster;
let deps: SampleDeps;
beforeAll(async () => {
  cluster = await SampleCluster.start();
});
beforeEach(() => {
  cluster.clear();
  fill(cluster);
  deps = sampleDeps();
});
afterAll(() => cluster.close());

/** Collects a cluster whose pods are answered like this; the result for pods. */
async function podsAnswered(reply: (at: number) => ClusterReply): Promise<ScopeResult> {
  const connection = connectionTo(cluster, SampleCluster.token);
  const target = await targetOf(connection, deps, new AbortController().signal);
  let requests = 0;
  cluster.intercept = ({ path }) => (path === '/api/v1/pods' ? reply(requests++) : undefined);
  const { results, sink } = await collected(target, deps);
  await deps.outbound.close();
  const pods = results.get('LW_CFG_K8S_CLUSTER_POD') as ScopeResult;
  // Nothing is stored of a kind that failed, except which resource could not be read.
  const parts = pods.unread > 0 ? 1 : 0;
  if (pods.status !== 'collected') expect(sink.of(pods.kind)).toMatchObject([{ resources: [], parts }]);
  // Nothing else is affected.
  const others = [...results.values()].filter(({ kind }) => !kind.startsWith('LW_CFG_K8S_CLUSTER_POD'));
  expect(others.filter(({ status }) => status === 'collected').length).toBeGreaterThan(20);
  return pods;
}

const items = (...elements: unknown[]) => ({ status: 200, body: { metadata: {}, items: elements } });
const pod = (more: object = {}) => ({ metadata: metadata('web', { namespace: 'shop', ...more }), spec: {} });
const ok = (body: unknown): ClusterReply => ({ status: 200, body });
const deep = `{"items":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

describe('a hostile answer fails its kind', () => {
  test.each<[string, ClusterReply, string]>([
    ['HTML', ok('<html>sign in</html>'), 'GET /api/v1/pods: the reply is not JSON.'],
    ['a number', ok('7'), 'GET /api/v1/pods: the reply is not an object.'],
    ['deep JSON', ok(deep), 'GET /api/v1/pods: the reply is nested more than 100 levels deep.'],
    ['no items', ok({ metadata: {} }), 'GET /api/v1/pods: the reply has no array of items.'],
    ['items that are an object', ok({ items: {} }), 'GET /api/v1/pods: the reply has no array of items.'],
    [
      'an item that is a string',
      items('pod'),
      'The API returned an object of kind Pod without metadata.name.',
    ],
    ['no uid', items(pod({ uid: 7 })), 'The API returned an object of kind Pod without metadata.uid.'],
    [
      'no namespace',
      items({ metadata: metadata('web') }),
      'The API returned an object of kind Pod without metadata.namespace.',
    ],
    [
      'labels that are an array',
      items(pod({ labels: ['a'] })),
      'The API returned an object of kind Pod whose metadata.labels is not an object.',
    ],
    [
      'a token that is a number',
      ok({ items: [], metadata: { continue: 7 } }),
      'GET /api/v1/pods: the continue token is invalid.',
    ],
    [
      'a long token',
      ok({ items: [], metadata: { continue: 'x'.repeat(9_000) } }),
      'GET /api/v1/pods: the continue token is invalid.',
    ],
    [
      'a token that does not change',
      ok({ items: [pod()], metadata: { continue: 'again' } }),
      'GET /api/v1/pods: the server returned the same continue token twice.',
    ],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://169.254.169.254/' }, body: '' },
      'GET /api/v1/pods: 307',
    ],
  ])('%s', async (_, reply, reason) => {
    expect(await podsAnswered(() => reply)).toMatchObject({ status: 'failed', reason });
  });

  test('a name of ten megabytes', async () => {
    const { status, reason } = await podsAnswered(() => items(pod({ name: 'x'.repeat(10_000_000) })));
    expect([status, reason]).toEqual([
      'failed',
      expect.stringMatching(/^key of a resource has 10\d+ characters; the limit is 4096\.$/),
    ]);
  });

  test('an object of ten megabytes', async () => {
    const { status, reason } = await podsAnswered(() =>
      items({ ...pod(), spec: { note: 'x'.repeat(10_000_000) } }),
    );
    expect([status, reason]).toEqual([
      'failed',
      expect.stringContaining('The configuration of k8s:c0ffee//Pod/shop/web has 10'),
    ]);
  });

  test('empty pages without end', async () => {
    const pods = await podsAnswered((at) => ok({ items: [], metadata: { continue: `page ${at}` } }));
    expect(pods).toMatchObject({
      status: 'failed',
      reason: 'GET /api/v1/pods: the server returned 11 empty pages in succession.',
    });
  });

  test('pages without end', async () => {
    const pods = await podsAnswered((at) => ok({ items: [pod()], metadata: { continue: `page ${at}` } }));
    expect(pods).toMatchObject({
      status: 'failed',
      reason: 'GET /api/v1/pods: the list has no end after 600000 objects.',
    });
  });
});

describe('an unusual answer is read', () => {
  test('a member called __proto__', async () => {
    const body =
      '{"items":[{"metadata":{"name":"web","uid":"1","namespace":"shop","__proto__":{"x":1}},"spec":{}}]}';
    expect(await podsAnswered(() => ok(body))).toMatchObject({ status: 'collected', resources: 1 });
  });

  test('null instead of an empty array', async () => {
    expect(await podsAnswered(() => ok({ items: null, metadata: {} }))).toMatchObject({ status: 'empty' });
  });
});
