import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Collection } from '../inventory/collection.ts';
import { MemorySink } from '../inventory/memory-sink.sample.ts';
import type { ScopeResult } from '../inventory/snapshot-writer.ts';
import { type ClusterRequest, failure, forbidden, SampleCluster } from './cluster.sample.ts';
import { collected, connectionTo, type SampleDeps, sampleDeps } from './collection.sample.ts';
import { describeK8s } from './describe.ts';
import { fill, metadata } from './objects.sample.ts';
import { targetOf } from './targets.ts';

const prefix = 'LW_CFG_K8S_CLUSTER_';
let cluster: SampleCluster;
let deps: SampleDeps;
beforeAll(async () => {
  cluster = await SampleCluster.start();
});
beforeEach(() => {
  cluster.clear();
  deps = sampleDeps();
});
afterAll(() => cluster.close());

async function collect() {
  const connection = connectionTo(cluster, SampleCluster.token);
  const target = await targetOf(connection, deps, new AbortController().signal);
  cluster.received.length = 0;
  const { sink, results } = await collected(target, deps);
  await deps.outbound.close();
  return { target, sink, of: (kind: string) => results.get(`${prefix}${kind}`) as ScopeResult, results };
}

const isList = ({ path }: ClusterRequest, resource: string) => path.endsWith(`/${resource}`);
const requestsOf = (resource: string) => cluster.received.filter((request) => isList(request, resource));
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    metadata: metadata(`pod-${at}`, { namespace: 'shop' }),
    spec: {},
  }));

describe('a cluster', () => {
  test('has every declared kind collected, or the reason why not', async () => {
    fill(cluster);
    cluster.intercept = ({ path }) =>
      path === '/api/v1/nodes/node-1/proxy/configz'
        ? {
            status: 200,
            body: { kubeletconfig: { readOnlyPort: 0, staticPodURLHeader: { Auth: ['hunter2'] } } },
          }
        : undefined;
    const { target, sink, results, of } = await collect();
    expect(target).toMatchObject({
      cloud: 'k8s',
      cloudAccount: 'c0ffee',
      title: 'Kubernetes cluster sample (c0ffee)',
    });
    const declared = (await describeK8s()).map(({ kind }) => kind);
    expect([...results.keys()].sort()).toEqual(declared.sort());
    expect([...results.values()].filter(({ status }) => status !== 'collected')).toMatchObject([
      { kind: `${prefix}PODSECURITYPOLICY`, status: 'not enabled', reason: expect.stringContaining('404') },
    ]);
    expect(
      [...results.values()].every(
        ({ region, cloudAccount }) => region === 'global' && cloudAccount === 'c0ffee',
      ),
    ).toBe(true);
    expect(JSON.stringify(sink.snapshots)).not.toMatch(/hunter2|aHVudGVyMg|managedFields|last-applied/);
    expect(of('KUBELETCONFIGURATION').status).toBe('collected');
    expect(sink.configs(`${prefix}KUBELETCONFIGURATION`)).toEqual({
      'k8s:c0ffee/kubelet.config.k8s.io/KubeletConfiguration//node-1': {
        readOnlyPort: 0,
        staticPodURLHeader: { Auth: '[redacted]' },
      },
    });
    expect(sink.configs(`${prefix}VERSION`)).toEqual({
      'k8s:c0ffee//Version//version': { major: '1', minor: '34', gitVersion: 'v1.34.1' },
    });
  });

  test('gives each object its identity, version and kind', async () => {
    fill(cluster);
    const { sink } = await collect();
    const [pods] = sink.of(`${prefix}POD`);
    expect(pods?.resources).toEqual([
      {
        key: 'k8s:c0ffee//Pod/shop/web-1',
        facts: {
          URN: 'k8s:c0ffee//Pod/shop/web-1',
          RESOURCE_ID: 'uid-of-web-1',
          RESOURCE_TYPE: 'Pod',
          RESOURCE_REGION: 'global',
          SERVICE: 'kubernetes',
          API_KEY: 'Pod',
          CLUSTER_ID: 'c0ffee',
          CLUSTER_TYPE: '',
          NAMESPACE: 'shop',
        },
        config: expect.any(String),
        tags: '{"app":"web-1"}',
      },
    ]);
    expect(JSON.parse(pods?.resources[0]?.config ?? '')).toMatchObject({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', annotations: { note: 'kept' } },
      spec: { containers: [{ securityContext: { privileged: true } }] },
    });
    const [roles] = sink.of(`${prefix}CLUSTERROLE`);
    expect(roles?.resources.map(({ key, facts }) => [key, facts.NAMESPACE])).toEqual([
      ['k8s:c0ffee/rbac.authorization.k8s.io/ClusterRole//cluster-admin', undefined],
    ]);
  });

  test('has the containers of its pods as resources of their own', async () => {
    fill(cluster);
    const { sink } = await collect();
    expect(sink.configs(`${prefix}POD_CONTAINER`)).toMatchObject({
      'k8s:c0ffee//PodContainer/shop/web-1/web': {
        ...{ name: 'web', image: 'nginx:1.27', containerType: 'container', imageID: 'sha256:1' },
        ...{ containerID: 'containerd://1', securityContext: { privileged: true } },
        env: [{ name: 'PASSWORD', value: '[redacted]' }, { name: 'FROM_SECRET' }],
        pod: { name: 'web-1', uid: 'uid-of-web-1' },
      },
    });
  });

  test('has only the metadata of its secrets asked for, and only some config maps', async () => {
    fill(cluster);
    const { sink } = await collect();
    expect(requestsOf('secrets').map(({ accept }) => accept)).toEqual([
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    ]);
    expect(sink.configs(`${prefix}SECRET`)).toEqual({
      'k8s:c0ffee//Secret/shop/db': {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: expect.objectContaining({ name: 'db', annotations: { note: '[redacted]' } }),
      },
    });
    expect(Object.keys(sink.configs(`${prefix}CONFIGMAP`))).toEqual([
      'k8s:c0ffee//ConfigMap/kube-system/coredns',
    ]);
    expect(requestsOf('configmaps')).toEqual([]);
  });

  test('that did not change gives the same configurations, though heartbeats and runs go on', async () => {
    fill(cluster);
    const before = await collect();
    cluster.intercept = ({ path }) => {
      const changed = { resourceVersion: '4712', managedFields: [] };
      const node = {
        metadata: { ...metadata('node-1'), ...changed },
        spec: { providerID: 'kind://docker/a/node-1' },
      };
      const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: '2026-03-02T11:59:00Z' }];
      const status = { nodeInfo: { kubeletVersion: 'v1.34.1' }, conditions, images: [] };
      return path === '/api/v1/nodes' ? { status: 200, body: { items: [{ ...node, status }] } } : undefined;
    };
    deps = sampleDeps();
    const after = await collect();
    expect(after.sink.configs(`${prefix}NODE`)).toEqual(before.sink.configs(`${prefix}NODE`));
  });
});

describe('the pages of a list', () => {
  test('are read one after the other, each object once', async () => {
    cluster.put('/api/v1/pods', ...many(1_201));
    fill(cluster);
    const { of } = await collect();
    expect(of('POD')).toMatchObject({ status: 'collected', resources: 1_202 });
    expect(requestsOf('pods').map(({ query }) => [query.get('limit'), query.has('continue')])).toEqual([
      ['500', false],
      ['500', true],
      ['500', true],
    ]);
  });

  test('start again when the token has expired, without repeating resources', async () => {
    fill(cluster);
    cluster.put('/api/v1/pods', ...many(700));
    let expiries = 2;
    cluster.intercept = (request) =>
      isList(request, 'pods') && request.query.has('continue') && expiries-- > 0
        ? failure(
            410,
            'Expired',
            'The provided continue parameter is too old to display a consistent list result.',
          )
        : undefined;
    const { of, sink } = await collect();
    expect(of('POD')).toMatchObject({ status: 'collected', resources: 701 });
    expect(new Set(sink.of(`${prefix}POD`)[0]?.resources.map(({ key }) => key)).size).toBe(701);
    expect(requestsOf('pods').length).toBe(6);
  });

  test('that expire again and again fail the kind, and no other', async () => {
    fill(cluster);
    cluster.put('/api/v1/pods', ...many(700));
    cluster.intercept = (request) =>
      isList(request, 'pods') && request.query.has('continue')
        ? failure(410, 'Expired', 'too old')
        : undefined;
    const { of, sink } = await collect();
    expect(of('POD')).toMatchObject({
      status: 'failed',
      reason: 'GET /api/v1/pods: the list expired 4 times while it was read (410 Gone).',
    });
    expect(sink.of(`${prefix}POD`)).toMatchObject([{ parts: 0 }]);
    expect(requestsOf('pods').length).toBe(8);
    expect(of('NODE').status).toBe('collected');
  });

  test('are smaller if one is too large for a reply', async () => {
    fill(cluster);
    cluster.put('/api/v1/pods', ...many(60));
    cluster.intercept = (request) =>
      isList(request, 'pods') && request.query.get('limit') === '500'
        ? { status: 200, body: `"${'x'.repeat(33 * 1024 * 1024)}"` }
        : undefined;
    const { of } = await collect();
    expect(of('POD')).toMatchObject({ status: 'collected', resources: 61 });
    expect(requestsOf('pods').map(({ query }) => query.get('limit'))).toEqual(['500', '25', '25', '25']);
  });
});

describe('a refusal', () => {
  test('is a denial of the kind, with the rule that would help', async () => {
    fill(cluster);
    cluster.intercept = (request) =>
      isList(request, 'deployments') ? forbidden('deployments', 'apps') : undefined;
    const { of } = await collect();
    expect(of('DEPLOYMENT')).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('GET /apis/apps/v1/deployments: 403 deployments is forbidden'),
      permission: '{apiGroups: ["apps"], resources: ["deployments"], verbs: ["list"]}',
    });
    expect(requestsOf('deployments').length).toBe(1);
    expect(of('DAEMONSET').status).toBe('collected');
  });

  test('of the kubelets does not fail the nodes, and is asked for once', async () => {
    fill(cluster);
    cluster.put('/api/v1/nodes', { metadata: metadata('node-2') });
    cluster.intercept = ({ path }) =>
      path.endsWith('/configz') ? failure(403, 'Forbidden', 'nodes "node-1" is forbidden') : undefined;
    const { of } = await collect();
    expect(of('KUBELETCONFIGURATION')).toMatchObject({
      status: 'denied',
      permission: '{apiGroups: [""], resources: ["nodes/proxy"], verbs: ["get"]}',
    });
    expect(requestsOf('configz').length).toBe(1);
    expect(of('NODE')).toMatchObject({ status: 'collected', resources: 2 });
  });

  test('of a kubelet that does not answer is a problem of that node', async () => {
    fill(cluster);
    cluster.put('/api/v1/nodes', { metadata: metadata('node-2') });
    cluster.intercept = ({ path }) => {
      if (path.includes('/node-1/proxy'))
        return failure(503, 'ServiceUnavailable', 'error trying to reach service');
      return path.includes('/node-2/proxy') ? { status: 200, body: { kubeletconfig: {} } } : undefined;
    };
    const { of, sink } = await collect();
    expect(of('KUBELETCONFIGURATION')).toMatchObject({ status: 'failed', resources: 1, unread: 1 });
    expect(sink.of(`${prefix}KUBELETCONFIGURATION`)[0]?.unread).toMatchObject([
      { key: 'k8s:c0ffee/kubelet.config.k8s.io/KubeletConfiguration//node-1', status: 'failed' },
    ]);
  });

  test('for lack of credentials is one for all', async () => {
    const connection = connectionTo(cluster, 'expired');
    await expect(targetOf(connection, deps, new AbortController().signal)).rejects.toMatchObject({
      status: 'denied',
      message: 'Cluster sample: GET /version: 401 Unauthorized',
    });
    expect(cluster.received.length).toBe(1);
  });
});

describe('an overloaded server', () => {
  test('is asked again after the time that it wants', async () => {
    fill(cluster);
    let refusals = 2;
    cluster.intercept = (request) =>
      isList(request, 'nodes') && refusals-- > 0
        ? failure(429, 'TooManyRequests', 'too many requests, please try again later', { 'retry-after': '7' })
        : undefined;
    const { of } = await collect();
    expect(of('NODE').status).toBe('collected');
    // Other requests wait too: the whole server is overloaded.
    expect(deps.pauses.filter((pause) => pause > 6_000).length).toBeGreaterThanOrEqual(2);
  });

  test('fails the kind after six requests, with growing pauses', async () => {
    fill(cluster);
    cluster.intercept = (request) =>
      isList(request, 'nodes') ? failure(500, 'InternalError', 'etcdserver: request timed out') : undefined;
    const { of } = await collect();
    expect(of('NODE')).toMatchObject({
      status: 'failed',
      reason: 'GET /api/v1/nodes: 500 etcdserver: request timed out',
    });
    expect(of('POD').status).toBe('collected');
    // The kubelets are found through the nodes, too.
    expect(of('KUBELETCONFIGURATION').status).toBe('failed');
    expect(requestsOf('nodes').length).toBe(12);
    expect(Math.max(...deps.pauses)).toBeGreaterThan(10_000);
  });

  test('sees at most five requests a second', async () => {
    fill(cluster);
    const start = deps.clock.now();
    await collect();
    const [usage] = deps.budget.usage();
    expect(usage?.calls).toBeGreaterThan(25);
    expect(deps.clock.now() - start).toBeGreaterThanOrEqual(((usage?.calls ?? 0) - 1) * 200);
  });
});

test('a collection that is stopped waits for no reply, and records no gap', async () => {
  fill(cluster);
  const target = await targetOf(
    connectionTo(cluster, SampleCluster.token),
    deps,
    new AbortController().signal,
  );
  const stopped = new AbortController();
  const reason = new Error('stopped');
  cluster.intercept = ({ path }) => {
    if (path !== '/api/v1/nodes') return undefined;
    stopped.abort(reason);
    return 'hang';
  };
  const sink = new MemorySink();
  const collection = new Collection({ cloudAccount: target.cloudAccount, sink, clock: deps.clock });
  const readings = await target.readings(stopped.signal);
  await expect(collection.run(readings, stopped.signal, () => {})).rejects.toBe(reason);
  expect(sink.of(`${prefix}NODE`)).toEqual([]);
  await deps.outbound.close();
});
