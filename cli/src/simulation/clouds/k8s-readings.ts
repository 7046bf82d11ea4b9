import type { Reading } from '@vedette/server/collect/inventory/reading';
import { K8sApi, type K8sRequest } from '@vedette/server/collect/k8s/api';
import { K8sStatusError } from '@vedette/server/collect/k8s/k8s-problem';
import { k8sReadings } from '@vedette/server/collect/k8s/plan';
import { type K8sCluster, listPath } from '@vedette/server/collect/k8s/service';
import { k8sServices } from '@vedette/server/collect/k8s/services';
import type { CloudObject } from '@vedette/server/simulate/clouds/cloud-object';
import { type Denial, nothingDenied } from './permission.ts';

type Answer = Record<string, unknown>;

/** The kind of each list, by its path. */
const lists = new Map(
  k8sServices.flatMap((service) =>
    service.kinds.map((kind) => [listPath(service, kind), kind.kind] as const),
  ),
);
const named = /^(\/api(?:s\/[^/]+)?\/[^/]+)\/namespaces\/([^/]+)\/([^/]+)\/([^/]+)$/;

/** Answers the requests of the collector from objects: nothing is sent. */
class SimulatedK8sApi extends K8sApi {
  readonly #objects: readonly CloudObject[];
  readonly #denied: Denial;

  constructor(objects: readonly CloudObject[], denied: Denial) {
    const connection = { server: 'https://cluster.invalid' };
    super(...([connection, {}] as unknown as ConstructorParameters<typeof K8sApi>));
    this.#objects = objects;
    this.#denied = denied;
  }

  override async get({ path }: K8sRequest): Promise<Answer> {
    if (this.#denied(path)) throw failure(path, 403, 'is forbidden');
    if (path === '/version') return this.#one(path, 'Version', 'version');
    const [, node] = /^\/api\/v1\/nodes\/([^/]+)\/proxy\/configz$/.exec(path) ?? [];
    if (node) return { kubeletconfig: this.#one(path, 'KubeletConfiguration', decodeURIComponent(node)) };
    const [, root, namespace, resource, name] = named.exec(path) ?? [];
    if (name) return this.#one(path, lists.get(`${root}/${resource}`), `${namespace}/${name}`);
    const kind = lists.get(path);
    return { items: this.#objects.filter(({ api }) => api === kind).map(({ value }) => value) };
  }

  #one(path: string, kind: string | undefined, id: string): Answer {
    const found = this.#objects.find((object) => object.api === kind && object.id === id);
    if (found) return found.value as Answer;
    throw failure(path, 404, 'was not found');
  }
}

function failure(path: string, status: number, problem: string): K8sStatusError {
  return new K8sStatusError(
    `GET ${path}`,
    status,
    Buffer.from(JSON.stringify({ message: `${path} ${problem}` })),
  );
}

/** The readings of the collector. */
export function simulatedK8sReadings(
  objects: readonly CloudObject[],
  cluster: K8sCluster,
  denied = nothingDenied,
): Reading[] {
  return k8sReadings(new SimulatedK8sApi(objects, denied), cluster);
}
