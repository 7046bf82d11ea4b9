import { CollectError } from '../inventory/problem.ts';
import type { ReadingOutput } from '../inventory/reading.ts';
import type { K8sApi } from './api.ts';
import { K8sStatusError, problemOf } from './k8s-problem.ts';
import { listed } from './list.ts';
import { type K8sObject, k8sObject } from './object.ts';
import { resourcesOf } from './resource.ts';
import {
  datasourceOf,
  type K8sCluster,
  type K8sCustomRead,
  type K8sKind,
  type K8sService,
  listPath,
  ruleOf,
} from './service.ts';

/** Without the rest of the objects, so that no secret leaves the cluster. */
const metadataOnly = {
  accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
};

/** Reads what a declaration describes from one cluster. */
export class ClusterReader {
  readonly #api: K8sApi;
  readonly #cluster: K8sCluster;
  readonly #output: ReadingOutput;
  readonly #signal: AbortSignal;

  constructor(api: K8sApi, cluster: K8sCluster, output: ReadingOutput, signal: AbortSignal) {
    this.#api = api;
    this.#cluster = cluster;
    this.#output = output;
    this.#signal = signal;
  }

  async readKind(service: K8sService, kind: K8sKind): Promise<void> {
    // A list that started again repeats objects.
    const added = new Set<string>();
    try {
      for await (const value of kind.only ? this.#named(service, kind) : this.#all(service, kind)) {
        const object = k8sObject(value, { apiVersion: apiVersionOf(service), ...kind });
        for (const [datasource, resource] of resourcesOf(this.#cluster, service.group, kind, object)) {
          const key = `${datasource} ${resource.key}`;
          if (!added.has(key)) await this.#output.add(datasource, resource);
          added.add(key);
        }
      }
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new CollectError(problemOf(error, ruleOf(service, kind)), error);
    }
  }

  async readCustom({ read, rules, ...kind }: K8sCustomRead): Promise<void> {
    const [api, signal, output] = [this.#api, this.#signal, this.#output];
    const datasource = datasourceOf(kind);
    try {
      await read({
        cluster: this.#cluster,
        signal,
        get: (path, attempts) => api.get({ path, signal, ...(attempts && { attempts }) }),
        objects: (path, members) => this.#objects(path, members),
        add: (resource) => output.add(datasource, resource),
        unread: (key, problem) => output.unread(datasource, key, problem),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new CollectError(problemOf(error, rules[0] ?? { verbs: [] }), error);
    }
  }

  #all(service: K8sService, kind: K8sKind): AsyncIterable<unknown> {
    const request = { path: listPath(service, kind), signal: this.#signal };
    return listed(this.#api, { ...request, ...(kind.isMetadataOnly && metadataOnly) });
  }

  async *#named(service: K8sService, kind: K8sKind): AsyncGenerator<unknown> {
    const { namespace, names } = kind.only ?? { namespace: '', names: [] };
    for (const name of names) {
      const path = `${listPath(service, kind, namespace)}/${name}`;
      const object = await this.#api.get({ path, signal: this.#signal }).catch((error: unknown) => {
        if (error instanceof K8sStatusError && error.status === 404) return undefined;
        throw error;
      });
      if (object) yield object;
    }
  }

  async *#objects(
    path: string,
    members: { apiVersion: string; kind: string; isNamespaced: boolean },
  ): AsyncGenerator<K8sObject> {
    for await (const value of listed(this.#api, { path, signal: this.#signal }))
      yield k8sObject(value, members);
  }
}

function apiVersionOf({ group, version }: K8sService): string {
  return group === '' ? version : `${group}/${version}`;
}
