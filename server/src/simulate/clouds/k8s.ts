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

/** As `configz` of each node returns it. */
const kubelet = {
  ...{ kind: 'KubeletConfiguration', apiVersion: 'kubelet.config.k8s.io/v1beta1', port: 10_250 },
  authentication: {
    ...{ anonymous: { enabled: false }, webhook: { enabled: true } },
    x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
  },
  ...{
    authorization: { mode: 'Webhook' },
    eventRecordQPS: 50,
    eventBurst: 100,
    makeIPTablesUtilChains: true,
  },
  ...{ featureGates: { RotateKubeletServerCertificate: true }, protectKernelDefaults: true },
  ...{ rotateCertificates: true, serverTLSBootstrap: true, streamingConnectionIdleTimeout: '4h0m0s' },
  tlsCipherSuites: ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
};

type Make = (
  apiVersion: string,
  kind: string,
  name: string,
  members: object,
  namespace?: string,
) => CloudObject;

/** Makes objects as the API of the company's cluster returns them. */
function makerFor(company: Company): Make {
  return (apiVersion, kind, name, members, namespace) => {
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
}

const nodesOf = ({ machines }: Company) => machines.filter(({ role }) => role.runs === 'pods');

/** The objects of the cluster in which the simulated pods run, as its API returns them. */
export function* clusterObjects(company: Company): Generator<CloudObject> {
  yield* systemObjects(company);
  yield* workloadObjects(company);
  yield* accessObjects(company);
}

/** Namespaces, nodes, and what runs on each of them. */
function* systemObjects(company: Company): Generator<CloudObject> {
  const object = makerFor(company);
  const { accountId, region } = company.cloud;
  const namespaces = new Set([
    ...['default', 'kube-system', 'ci'],
    ...company.images.map(({ namespace }) => namespace),
  ]);
  yield cloudObject('Version', 'version', {
    ...{ major: '1', minor: '34', gitVersion: 'v1.34.1-eks-113cf36', gitTreeState: 'clean' },
    ...{ buildDate: '2025-11-01T09:00:00Z', goVersion: 'go1.24.6', platform: 'linux/amd64' },
  });
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
  for (const { hostname, instanceId, zone, address } of nodesOf(company)) {
    const labels = { 'kubernetes.io/hostname': hostname, 'topology.kubernetes.io/zone': zone };
    yield object('v1', 'Node', hostname, {
      metadata: { labels: { ...labels, 'eks.amazonaws.com/nodegroup': 'nodes' } },
      spec: { providerID: `aws:///${zone}/${instanceId}` },
      status: {
        addresses: [{ type: 'InternalIP', address }],
        nodeInfo: { kubeletVersion: 'v1.34.1-eks-113cf36', containerRuntimeVersion: 'containerd://2.1.4' },
      },
    });
    yield cloudObject('KubeletConfiguration', hostname, kubelet);
  }
  const images = `602401143452.dkr.ecr.${region}.amazonaws.com`;
  const containers = [
    { name: 'aws-node', image: `${images}/amazon-k8s-cni:v1.20.4` },
    {
      ...{ name: 'aws-eks-nodeagent', image: `${images}/amazon/aws-network-policy-agent:v1.2.7` },
      args: ['--enable-ipv6=false', '--enable-network-policy=true'],
    },
  ];
  const labels = { 'k8s-app': 'aws-node' };
  const template = { metadata: { labels }, spec: { containers, hostNetwork: true } };
  yield object(
    'apps/v1',
    'DaemonSet',
    'aws-node',
    { metadata: { labels }, spec: { selector: { matchLabels: labels }, template } },
    'kube-system',
  );
  const mapRoles = [
    `- rolearn: arn:aws:iam::${accountId}:role/cluster-node`,
    '  username: system:node:{{EC2PrivateDNSName}}',
    '  groups:',
    '    - system:bootstrappers',
    '    - system:nodes',
  ].join('\n');
  yield object('v1', 'ConfigMap', 'aws-auth', { data: { mapRoles } }, 'kube-system');
}

type PodContainer = Pick<Container, 'image' | 'address' | 'startedAt'>;

function podMaker(company: Company) {
  const object = makerFor(company);
  return (name: string, { image, address, startedAt }: PodContainer, node: string, app: string) =>
    object(
      'v1',
      'Pod',
      name,
      {
        metadata: { creationTimestamp: isoSeconds(startedAt), labels: { app } },
        spec: {
          ...{ nodeName: node, automountServiceAccountToken: false, serviceAccountName: app },
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
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
}

/** A pod that somebody left in the default namespace. */
export function debugPod(company: Company): CloudObject[] {
  const [node] = nodesOf(company);
  const [tools] = company.images;
  if (!node || !tools) return [];
  const image = {
    ...{ ...tools, repo: 'docker.io/library/alpine', tag: '3.20', command: 'sleep infinity' },
    namespace: 'default',
  };
  const container = { image, address: node.address, startedAt: node.bootAt };
  return [podMaker(company)('debug-tools', container, node.hostname, 'debug-tools')];
}

function* workloadObjects(company: Company): Generator<CloudObject> {
  const object = makerFor(company);
  const pod = podMaker(company);
  const nodes = nodesOf(company);
  const { accountId, region } = company.cloud;
  const certificate = `arn:aws:acm:${region}:${accountId}:certificate/${uuidOf(company, 'certificate')}`;
  for (const { hostname, containers } of nodes)
    for (const container of containers)
      yield pod(container.podName ?? container.name, container, hostname, container.name);
  for (const { repo, tag, port, namespace } of company.images) {
    const name = repo.split('/').at(-1) as string;
    const labels = { app: name };
    const containers = [{ name, image: `${repo}:${tag}`, ports: [{ containerPort: port }], securityContext }];
    const template = { metadata: { labels }, spec: { containers, automountServiceAccountToken: false } };
    const spec = { replicas: Math.max(1, nodes.length), selector: { matchLabels: labels }, template };
    yield object('v1', 'ServiceAccount', name, { automountServiceAccountToken: false }, namespace);
    yield object('apps/v1', 'Deployment', name, { metadata: { labels }, spec }, namespace);
    const ports = [{ port: 80, targetPort: port }];
    yield object('v1', 'Service', name, { spec: { type: 'ClusterIP', selector: labels, ports } }, namespace);
  }
  const loadBalancer = 'service.beta.kubernetes.io/aws-load-balancer-ssl-cert';
  yield object(
    'v1',
    'Service',
    'storefront',
    {
      metadata: { annotations: { [loadBalancer]: certificate } },
      spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 443, targetPort: 3000 }] },
    },
    'shop',
  );
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  const host = `shop.${company.domain}`;
  yield object(
    'networking.k8s.io/v1',
    'Ingress',
    'shop',
    {
      spec: {
        ...{ ingressClassName: 'alb', tls: [{ hosts: [host], secretName: 'shop-tls' }] },
        rules: [{ host, http: { paths } }],
      },
    },
    'shop',
  );
}

/** Roles and their bindings. */
function* accessObjects(company: Company): Generator<CloudObject> {
  const object = makerFor(company);
  yield object('v1', 'ServiceAccount', 'deployer', { automountServiceAccountToken: false }, 'ci');
  const readPods = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
  yield object(`${rbac}/v1`, 'ClusterRole', 'support', { rules: readPods });
  const deploy = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'patch'] }];
  yield object(`${rbac}/v1`, 'Role', 'deployer', { rules: deploy }, 'shop');
  const deployer = { kind: 'ServiceAccount', name: 'deployer', namespace: 'ci' };
  yield object(
    `${rbac}/v1`,
    'RoleBinding',
    'deployer',
    { roleRef: { apiGroup: rbac, kind: 'Role', name: 'deployer' }, subjects: [deployer] },
    'shop',
  );
  const all = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  const builtIn = { labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } };
  yield object(`${rbac}/v1`, 'ClusterRole', 'cluster-admin', { metadata: builtIn, rules: all });
  const binding = (name: string, role: string, subject: object) =>
    object(`${rbac}/v1`, 'ClusterRoleBinding', name, {
      ...{ roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role }, subjects: [subject] },
    });
  yield binding('cluster-admin', 'cluster-admin', { apiGroup: rbac, kind: 'Group', name: 'system:masters' });
  yield binding('support', 'support', { apiGroup: rbac, kind: 'Group', name: 'support' });
  yield binding('ci-deployer', 'view', deployer);
}
