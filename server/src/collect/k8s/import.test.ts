import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SampleCluster } from './cluster.sample.ts';
import { collected, connectionTo, sampleDeps } from './collection.sample.ts';
import { clusterIn, importedK8s } from './import.ts';
import { fill, metadata, podSpec } from './objects.sample.ts';
import { listPath } from './service.ts';
import { k8sServices } from './services.ts';
import { targetOf } from './targets.ts';

const shop = { id: 'c0ffee', type: '' } as const;
let cluster: SampleCluster;
beforeAll(async () => {
  cluster = await SampleCluster.start();
  fill(cluster);
});
afterAll(() => cluster.close());

/** What `kubectl get … -A -o json` prints: each element names its version and kind. */
async function printed(): Promise<object> {
  const deps = sampleDeps();
  const outbound = deps.outbound.withTls({ authority: cluster.authority });
  const headers = { authorization: `Bearer ${SampleCluster.token}` };
  const items: object[] = [];
  for (const service of k8sServices)
    for (const kind of service.kinds) {
      const reply = await outbound.fetch({
        method: 'GET',
        url: `${cluster.url}${listPath(service, kind)}`,
        headers,
      });
      if (reply.status !== 200) continue;
      const apiVersion = service.group ? `${service.group}/${service.version}` : service.version;
      const list = JSON.parse(reply.body.toString()) as { items: object[] };
      items.push(...list.items.map((item) => inOrderOfNames({ apiVersion, kind: kind.kind, ...item })));
    }
  await deps.outbound.close();
  return { apiVersion: 'v1', kind: 'List', items };
}

function inOrderOfNames(object: object): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => a.localeCompare(b)));
}

describe('an import', () => {
  test('has the same resources as a collection of the same cluster', async () => {
    const deps = sampleDeps();
    const connection = connectionTo(cluster, SampleCluster.token);
    const target = await targetOf(connection, deps, new AbortController().signal);
    const { sink } = await collected(target, deps);
    await deps.outbound.close();
    const { resources, skipped } = importedK8s([await printed()], shop);
    expect(resources.size).toBeGreaterThan(20);
    for (const [kind, imported] of resources) {
      const [snapshot] = sink.of(kind);
      expect(imported, kind).toEqual(snapshot?.resources);
    }
    expect(Object.fromEntries(skipped)).toEqual({ ConfigMap: 2 });
    expect(JSON.stringify([...resources])).not.toMatch(/hunter2|aHVudGVyMg|managedFields/);
  });

  test('takes single objects, lists of one kind, and any version of an API group', () => {
    const pod = { metadata: metadata('web', { namespace: 'shop' }), spec: podSpec };
    const documents = [
      { apiVersion: 'v1', kind: 'Pod', ...pod },
      {
        apiVersion: 'apps/v1beta2',
        kind: 'DeploymentList',
        items: [{ metadata: metadata('web', { namespace: 'shop' }) }],
      },
      { apiVersion: 'batch/v1', kind: 'JobList', items: [] },
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: metadata('a') },
    ];
    const { resources, skipped } = importedK8s([...documents, documents[0]], shop);
    expect([...resources].map(([kind, list]) => [kind, list.map(({ key }) => key)])).toEqual([
      ['LW_CFG_K8S_CLUSTER_POD', ['k8s:c0ffee//Pod/shop/web']],
      ['LW_CFG_K8S_CLUSTER_POD_CONTAINER', ['k8s:c0ffee//PodContainer/shop/web/web']],
      ['LW_CFG_K8S_CLUSTER_DEPLOYMENT', ['k8s:c0ffee/apps/Deployment/shop/web']],
      ['LW_CFG_K8S_CLUSTER_JOB', []],
    ]);
    expect(Object.fromEntries(skipped)).toEqual({ Widget: 1 });
  });

  test.each<[unknown, string]>([
    [7, 'The file has an element without apiVersion or kind: use the output of kubectl get -o json.'],
    [{ apiVersion: 'v1', kind: 'List', items: {} }, 'The file has List without an array of items.'],
    [{ apiVersion: 'v1', kind: 'List', items: [7] }, 'The file has an element without apiVersion or kind'],
    [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } },
      'an object of kind Pod without metadata.uid.',
    ],
  ])('refuses %j', (document, reason) => {
    expect(() => importedK8s([document], shop)).toThrow(reason);
  });

  test('finds the cluster in its namespaces and nodes', async () => {
    expect(clusterIn([await printed()])).toEqual(shop);
    const node = { metadata: metadata('n'), status: { nodeInfo: { kubeletVersion: 'v1.33.2-eks-931bdca' } } };
    const system = { metadata: metadata('kube-system', { uid: 'c0ffee' }) };
    const documents = [
      { apiVersion: 'v1', kind: 'NodeList', items: [node] },
      { apiVersion: 'v1', kind: 'Namespace', ...system },
    ];
    expect(clusterIn(documents)).toEqual({ id: 'c0ffee', type: 'EKS' });
    expect(clusterIn(documents.slice(0, 1))).toBeUndefined();
  });
});
