import type { SampleCluster } from './cluster.sample.ts';

const applied = 'kubectl.kubernetes.io/last-applied-configuration';

/** Metadata as the API returns it, with what is not stored. */
export function metadata(
  name: string,
  { namespace, ...more }: { namespace?: string; [member: string]: unknown } = {},
) {
  return {
    ...{ name, uid: `uid-of-${name}`, ...(namespace && { namespace }), resourceVersion: '4711' },
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: name },
    annotations: { [applied]: '{"data":{"password":"aHVudGVyMg=="}}', note: 'kept' },
    managedFields: [{ manager: 'kubectl', operation: 'Update' }],
    ...more,
  };
}

export const podSpec = {
  serviceAccountName: 'default',
  hostNetwork: true,
  containers: [
    {
      name: 'web',
      image: 'nginx:1.27',
      args: ['--v=2', '--db-password=hunter2', '--token', 'hunter2'],
      env: [
        { name: 'PASSWORD', value: 'hunter2' },
        { name: 'FROM_SECRET', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
      ],
      securityContext: { privileged: true },
    },
  ],
};

/** Fills a cluster with one object of each kind, and the namespace that identifies it. */
export function fill(cluster: SampleCluster): void {
  const namespace = 'shop';
  const template = { metadata: { labels: { app: 'x' } }, spec: podSpec };
  const named = (name: string) => ({ metadata: metadata(name, { namespace }) });
  cluster.put(
    '/api/v1/namespaces',
    { metadata: metadata('kube-system', { uid: 'c0ffee' }) },
    { metadata: metadata('shop') },
  );
  cluster.put('/api/v1/nodes', {
    metadata: metadata('node-1'),
    spec: { providerID: 'kind://docker/a/node-1' },
    status: {
      nodeInfo: { kubeletVersion: 'v1.34.1' },
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: '2026-03-01T11:59:00Z' }],
      images: [{ names: ['nginx:1.27'], sizeBytes: 1 }],
    },
  });
  const containerStatuses = [
    { name: 'web', imageID: 'sha256:1', containerID: 'containerd://1', restartCount: 0 },
  ];
  cluster.put('/api/v1/pods', { ...named('web-1'), spec: podSpec, status: { containerStatuses } });
  cluster.put('/api/v1/services', { ...named('web'), spec: { type: 'LoadBalancer' } });
  cluster.put('/api/v1/serviceaccounts', { ...named('default'), automountServiceAccountToken: false });
  cluster.put(
    '/api/v1/configmaps',
    { metadata: metadata('coredns', { namespace: 'kube-system' }), data: { Corefile: '.:53 {}' } },
    { metadata: metadata('coredns', { namespace }), data: { Corefile: 'of the shop' } },
    { metadata: metadata('other', { namespace: 'kube-system' }), data: { password: 'hunter2' } },
  );
  cluster.put('/api/v1/secrets', { ...named('db'), type: 'Opaque', data: { password: 'aHVudGVyMg==' } });
  for (const resource of ['deployments', 'daemonsets', 'statefulsets', 'replicasets'])
    cluster.put(`/apis/apps/v1/${resource}`, { ...named(resource), spec: { template } });
  cluster.put('/apis/batch/v1/jobs', { ...named('once'), spec: { template } });
  cluster.put('/apis/batch/v1/cronjobs', {
    ...named('nightly'),
    spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template } } },
    status: { lastScheduleTime: '2026-03-01T03:00:00Z' },
  });
  cluster.put('/apis/networking.k8s.io/v1/ingresses', {
    ...named('web'),
    spec: { tls: [{ hosts: ['shop.example'] }] },
  });
  cluster.put('/apis/networking.k8s.io/v1/networkpolicies', { ...named('deny'), spec: { podSelector: {} } });
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  cluster.put(`${rbac}/roles`, {
    ...named('reader'),
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  });
  cluster.put(`${rbac}/rolebindings`, { ...named('readers'), roleRef, subjects: [] });
  cluster.put(`${rbac}/clusterroles`, {
    metadata: metadata('cluster-admin'),
    rules: [{ verbs: ['*'], resources: ['*'] }],
  });
  cluster.put(`${rbac}/clusterrolebindings`, { metadata: metadata('admins'), roleRef, subjects: [] });
  const admission = '/apis/admissionregistration.k8s.io/v1';
  for (const resource of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'])
    cluster.put(`${admission}/${resource}`, {
      metadata: metadata(resource),
      webhooks: [{ failurePolicy: 'Fail' }],
    });
  cluster.put(`${admission}/validatingadmissionpolicies`, {
    metadata: metadata('images'),
    spec: { failurePolicy: 'Fail' },
  });
}
