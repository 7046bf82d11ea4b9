import { memberAt } from '../inventory/member.ts';
import { CollectError } from '../inventory/problem.ts';
import type { K8sApi } from './api.ts';
import type { K8sConnection } from './connection.ts';
import { K8sStatusError, problemOf } from './k8s-problem.ts';
import type { K8sCluster, RbacRule } from './service.ts';

/** Read besides the kinds. */
export const identityRule: RbacRule = {
  apiGroups: [''],
  resources: ['namespaces'],
  resourceNames: ['kube-system'],
  verbs: ['get'],
};

/** What the identity of a cluster is found from. */
export interface ClusterTraits {
  /** Host of the API. */
  readonly host: string;
  readonly names: readonly string[];
  readonly gitVersion: string;
  /** Of any node. */
  readonly providerId: string;
  readonly labels: Readonly<Record<string, unknown>>;
}

/** Asks the API who it is. Rejects if the API can not be reached, or does not allow it. */
export async function identifyCluster(
  api: K8sApi,
  { server, names }: K8sConnection,
  signal: AbortSignal,
): Promise<K8sCluster> {
  // Refusals are no reason to stop; a server that can not be reached is.
  const ask = (path: string, query?: Record<string, string>) =>
    api.get({ path, signal, ...(query && { query }) }).catch((error: unknown) => {
      if (error instanceof K8sStatusError && error.status !== 401) return {};
      throw error;
    });
  const version = await ask('/version');
  const nodes = await ask('/api/v1/nodes', { limit: '1' });
  const labels = memberAt(nodes, 'items.0.metadata.labels');
  const traits: ClusterTraits = {
    ...{ host: new URL(server).hostname, names, gitVersion: textAt(version, 'gitVersion') },
    providerId: textAt(nodes, 'items.0.spec.providerID'),
    labels: typeof labels === 'object' && labels !== null ? (labels as Record<string, unknown>) : {},
  };
  const type = clusterType(traits);
  const account = async () =>
    awsAccountIn(textAt(await ask('/api/v1/namespaces/kube-system/configmaps/aws-auth'), 'data.mapRoles'));
  const id = type === 'EKS' ? await eksArn(traits, account) : fullName(type, traits);
  return { id: id ?? (await kubeSystemUid(api, signal)), type };
}

async function kubeSystemUid(api: K8sApi, signal: AbortSignal): Promise<string> {
  const path = '/api/v1/namespaces/kube-system';
  const namespace = await api.get({ path, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new CollectError(problemOf(error, identityRule), error);
  });
  const uid = textAt(namespace, 'metadata.uid');
  if (!/^[\w-]{1,100}$/.test(uid))
    throw new CollectError({ status: 'failed', reason: `GET ${path}: the namespace has no valid uid.` });
  return uid;
}

/** By the version that the service builds, the address of its API, or what it writes on its nodes. */
export function clusterType({
  host,
  names,
  gitVersion,
  providerId,
  labels,
}: ClusterTraits): K8sCluster['type'] {
  if (gitVersion.includes('-eks-') || /\.eks\.amazonaws\.com(\.cn)?$/.test(host) || names.some(isEksArn))
    return 'EKS';
  if (gitVersion.includes('-gke.') || names.some((name) => gkeContext.test(name))) return 'GKE';
  const isAzure = providerId.startsWith('azure:') && 'kubernetes.azure.com/cluster' in labels;
  return isAzure || host.endsWith('.azmk8s.io') ? 'AKS' : '';
}

const arn = /^arn:aws(?:-[a-z]+)*:eks:[a-z\d-]+:\d{12}:cluster\/[\w-]{1,100}$/;
const eksctlName = /^(?:[^@]*@)?([\w-]{1,100})\.([a-z]{2}(?:-[a-z]+)+-\d)\.eksctl\.io$/;
const gkeContext = /^gke_([a-z][a-z\d.:-]{1,100})_([a-z\d-]{1,40})_([a-z\d-]{1,40})$/;

function isEksArn(name: string): boolean {
  return arn.test(name);
}

/** From the name that `aws eks update-kubeconfig` gives, or put together from the name, the region and the account. */
export async function eksArn(
  { names, labels }: ClusterTraits,
  account: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const given = names.find(isEksArn);
  if (given) return given;
  const parts = names.map((name) => eksctlName.exec(name)).find((match) => match !== null);
  const name = parts?.[1] ?? labels['alpha.eksctl.io/cluster-name'];
  const region = parts?.[2] ?? labels['topology.kubernetes.io/region'];
  if (name === undefined || region === undefined) return undefined;
  const id = await account();
  const made = `arn:${partitionOf(String(region))}:eks:${region}:${id}:cluster/${name}`;
  return isEksArn(made) ? made : undefined;
}

function partitionOf(region: string): string {
  if (region.startsWith('us-gov-')) return 'aws-us-gov';
  return region.startsWith('cn-') ? 'aws-cn' : 'aws';
}

/** The account of the roles that the nodes of a cluster have. */
function awsAccountIn(mapRoles: string): string | undefined {
  return /arn:aws(?:-[a-z]+)*:iam::(\d{12}):role\//.exec(mapRoles)?.[1];
}

/** The name by which the cloud's own API knows a cluster, if it can be made from what is known. */
export function fullName(type: K8sCluster['type'], traits: ClusterTraits): string | undefined {
  const { names, providerId, labels } = traits;
  if (type === 'GKE') {
    const [, project, location, name] =
      names.map((one) => gkeContext.exec(one)).find((match) => match !== null) ?? [];
    return name && `projects/${project}/locations/${location}/clusters/${name}`;
  }
  if (type !== 'AKS') return undefined;
  // The group of the nodes is called MC_<group>_<cluster>_<location>; names may have underscores too.
  const nodeGroup = String(labels['kubernetes.azure.com/cluster'] ?? '');
  const subscription = /^azure:\/\/\/subscriptions\/([\da-f-]{36})\//i.exec(providerId)?.[1];
  const name = names.find((one) => one !== '' && nodeGroup.includes(`_${one}_`));
  const group = name && new RegExp(`^MC_(.{1,90})_${escaped(name)}_[a-z\\d]+$`, 'i').exec(nodeGroup)?.[1];
  if (!subscription || !group) return undefined;
  return `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.ContainerService/managedClusters/${name}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&');
}

function textAt(value: unknown, path: string): string {
  const found = memberAt(value, path);
  return typeof found === 'string' ? found : '';
}
