import type { CloudTarget, CollectDeps, Discovery } from '../inventory/cloud.ts';
import { boundedReason, CollectError, type Problem } from '../inventory/problem.ts';
import { K8sApi } from './api.ts';
import { identifyCluster } from './cluster-identity.ts';
import type { K8sConnection } from './connection.ts';
import { inClusterConnection } from './in-cluster.ts';
import { problemOf } from './k8s-problem.ts';
import { readKubeconfig } from './kubeconfig.ts';
import { kubeconfigConnection } from './kubeconfig-connection.ts';
import { k8sReadings } from './plan.ts';

export interface LocalK8sOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Contexts of the kubeconfig; the current one if none is named. */
  readonly contexts?: readonly string[];
  /** Replaces the directory of the service account's credentials. */
  readonly serviceAccountDirectory?: string;
}

/** The clusters of the user's kubeconfig, or the one in which this process runs. */
export async function localK8sTargets(
  deps: CollectDeps,
  options: LocalK8sOptions,
  signal: AbortSignal,
): Promise<Discovery> {
  const targets = new Map<string, CloudTarget>();
  const problems: Problem[] = [];
  for (const connect of await connections(deps, options)) {
    try {
      const target = await targetOf(await connect(), deps, signal);
      // Several contexts may lead to one cluster.
      if (!targets.has(target.cloudAccount)) targets.set(target.cloudAccount, target);
    } catch (error) {
      signal.throwIfAborted();
      problems.push(problemWith(error));
    }
  }
  return { targets: [...targets.values()], problems };
}

type Connect = () => Promise<K8sConnection>;

async function connections(
  { clock }: CollectDeps,
  { environment, contexts, serviceAccountDirectory }: LocalK8sOptions,
): Promise<readonly Connect[]> {
  const refused = (error: unknown): Connect[] => [() => Promise.reject(error)];
  try {
    const kubeconfig = await readKubeconfig(environment);
    if (kubeconfig)
      return (contexts?.length ? contexts : [undefined]).map(
        (context) => () => kubeconfigConnection(kubeconfig, context, { clock, environment }),
      );
  } catch (error) {
    return refused(error);
  }
  const inCluster = await inClusterConnection(environment, serviceAccountDirectory);
  if (inCluster) return [async () => inCluster];
  const reason =
    'No cluster: there is no kubeconfig (KUBECONFIG, ~/.kube/config) and no service account of a pod.';
  return refused(new CollectError({ status: 'failed', reason }));
}

export async function targetOf(
  connection: K8sConnection,
  deps: CollectDeps,
  signal: AbortSignal,
): Promise<CloudTarget> {
  const api = new K8sApi(connection, deps);
  const cluster = await identifyCluster(api, connection, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    const problem = problemOf(error, { nonResourceURLs: ['/version'], verbs: ['get'] });
    const reason = boundedReason(`Cluster ${connection.title}: ${problem.reason}`);
    throw new CollectError({ ...problem, reason }, error);
  });
  const kind = cluster.type ? `${cluster.type} cluster` : 'Kubernetes cluster';
  return {
    cloud: 'k8s',
    cloudAccount: cluster.id,
    title: `${kind} ${connection.title}${connection.title === cluster.id ? '' : ` (${cluster.id})`}`,
    readings: async () => k8sReadings(api, cluster),
  };
}

function problemWith(error: unknown): Problem {
  if (error instanceof CollectError) return error;
  return { status: 'failed', reason: boundedReason((error as Error).message) };
}
