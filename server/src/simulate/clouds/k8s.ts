import type { Company } from '../company/company.ts';
import type { Container } from '../company/container.ts';
import { isoSeconds } from '../hour.ts';
import { type CloudObject, cloudObject, uuidOf } from './cloud-object.ts';

const created = '2025-05-20T09:00:00Z';
const rbac = 'rbac.authorization.k8s.io';
const securityContext = {
  ...{ privileged: false, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsNonRoot: true },
  capabilities: { drop: ['ALL'] },
};

/** The objects of the cluster in which the simulated pods run, as its API returns them. */
export function* clusterObjects(company: Company): Generator<CloudObject> {
  const nodes = company.machines.filter(({ role }) => role.runs === 'pods');
  const namespaces = new Set([
    ...['default', 'kube-system', 'ci'],
    ...company.images.map(({ namespace }) => namespace),
  ]);
  const object = (apiVersion: string, kind: string, name: string, members: object, namespace?: string) => {
    const id = namespace === undefined ? name : `${namespace}/${name}`;
    const { metadata = {}, ...rest } = members as { metadata?: object };
    return cloudObject(kind, id, {
      ...{ apiVersion, kind },
      metadata: {
        ...{ name, uid: uuidOf(company, kind, id), creationTimestamp: created },
        ...(namespace !== undefined && { namespace }),
        ...metadata,
      },
      ...rest,
    });
  };
  for (const name of namespaces) {
    const labels = {
      'kubernetes.io/metadata.name': name,
      'pod-security.kubernetes.io/enforce': name === 'kube-system' ? 'privileged' : 'restricted',
    };
    yield object('v1', 'Namespace', name, { metadata: { labels }, status: { phase: 'Active' } });
    yield object('v1', 'ServiceAccount', 'default', { automountServiceAccountToken: false }, name);
    yield object(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      'default-deny',
      { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } },
      name,
    );
  }
  yield object('v1', 'ServiceAccount', 'deployer', {}, 'ci');
  for (const { hostname, instanceId, zone, address } of nodes) {
    const labels = { 'kubernetes.io/hostname': hostname, 'topology.kubernetes.io/zone': zone };
    yield object('v1', 'Node', hostname, {
      metadata: { labels: { ...labels, 'eks.amazonaws.com/nodegroup': 'nodes' } },
      spec: { providerID: `aws:///${zone}/${instanceId}` },
      status: {
        addresses: [{ type: 'InternalIP', address }],
        nodeInfo: { kubeletVersion: 'v1.29.3-eks-ae9a62a', containerRuntimeVersion: 'containerd://1.7.11' },
      },
    });
  }
  const pod = (
    name: string,
    { image, address, startedAt }: Pick<Container, 'image' | 'address' | 'startedAt'>,
    node: string,
    app: string,
  ) =>
    object(
      'v1',
      'Pod',
      name,
      {
        metadata: { creationTimestamp: isoSeconds(startedAt), labels: { app } },
        spec: {
          ...{ nodeName: node, automountServiceAccountToken: false, serviceAccountName: 'default' },
          containers: [
            {
              ...{ name: app, image: `${image.repo}:${image.tag}`, command: image.command.split(' ') },
              ...{ ports: [{ containerPort: image.port }], securityContext },
              resources: { limits: { memory: '512Mi' }, requests: { cpu: '100m' } },
            },
          ],
        },
        status: { phase: 'Running', podIP: address },
      },
      image.namespace,
    );
  for (const { hostname, containers } of nodes)
    for (const container of containers)
      yield pod(container.podName ?? container.name, container, hostname, container.name);
  const [node] = nodes;
  const [tools] = company.images;
  if (node && tools) {
    const image = {
      ...tools,
      repo: 'docker.io/library/alpine',
      tag: '3.20',
      command: 'sleep infinity',
      namespace: 'default',
    };
    yield pod(
      'debug-tools',
      { image, address: node.address, startedAt: node.bootAt },
      node.hostname,
      'debug-tools',
    );
  }
  for (const { repo, tag, port, namespace } of company.images) {
    const name = repo.split('/').at(-1) as string;
    const labels = { app: name };
    const containers = [{ name, image: `${repo}:${tag}`, ports: [{ containerPort: port }], securityContext }];
    const template = { metadata: { labels }, spec: { containers, automountServiceAccountToken: false } };
    const spec = { replicas: Math.max(1, nodes.length), selector: { matchLabels: labels }, template };
    yield object('apps/v1', 'Deployment', name, { metadata: { labels }, spec }, namespace);
    const ports = [{ port: 80, targetPort: port }];
    yield object('v1', 'Service', name, { spec: { type: 'ClusterIP', selector: labels, ports } }, namespace);
  }
  const readPods = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
  yield object(`${rbac}/v1`, 'ClusterRole', 'support', { rules: readPods });
  const all = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const builtIn = { labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } };
  yield object(`${rbac}/v1`, 'ClusterRole', 'cluster-admin', { metadata: builtIn, rules: all });
  const binding = (name: string, role: string, subject: object) =>
    object(`${rbac}/v1`, 'ClusterRoleBinding', name, {
      ...{ roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role }, subjects: [subject] },
    });
  yield binding('cluster-admin', 'cluster-admin', { apiGroup: rbac, kind: 'Group', name: 'system:masters' });
  yield binding('support', 'support', { apiGroup: rbac, kind: 'Group', name: 'support' });
  yield binding('ci-deployer', 'edit', { kind: 'ServiceAccount', name: 'deployer', namespace: 'ci' });
}
