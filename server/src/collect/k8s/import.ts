import type { Resource } from '../../telemetry/resource.ts';
import { CollectError } from '../inventory/problem.ts';
import { clusterType } from './cluster-identity.ts';
import { isObject, k8sObject } from './object.ts';
import { resourcesOf } from './resource.ts';
import { datasourceOf, type K8sCluster, type K8sKind, type K8sService } from './service.ts';
import { k8sServices } from './services.ts';

export interface ImportedK8s {
  /** By datasource. A list without objects has its kind, without resources. */
  readonly resources: ReadonlyMap<string, readonly Resource[]>;
  /** How many objects of kinds that are not collected were left out. */
  readonly skipped: ReadonlyMap<string, number>;
}

/**
 * The resources of what `kubectl get … -o json` printed: lists, single objects and any mix of kinds, as a collection of
 * the same cluster would find them.
 */
export function importedK8s(documents: readonly unknown[], cluster: K8sCluster): ImportedK8s {
  const resources = new Map<string, Map<string, Resource>>();
  const skipped = new Map<string, number>();
  for (const { apiVersion, kind, value } of documents.flatMap(objectsIn)) {
    const declared = declarationOf(apiVersion, kind);
    if (!declared || !isWanted(declared.kind, value)) {
      skipped.set(kind, (skipped.get(kind) ?? 0) + 1);
      continue;
    }
    const object = k8sObject(value, { apiVersion, ...declared.kind });
    for (const [datasource, resource] of resourcesOf(
      cluster,
      declared.service.group,
      declared.kind,
      object,
    )) {
      const known = resources.get(datasource) ?? new Map<string, Resource>();
      resources.set(datasource, known.set(resource.key, resource));
    }
  }
  for (const kind of documents.flatMap(emptyKinds)) if (!resources.has(kind)) resources.set(kind, new Map());
  return { resources: new Map([...resources].map(([kind, byKey]) => [kind, [...byKey.values()]])), skipped };
}

/** The cluster that the objects are from, if the namespace kube-system is among them. */
export function clusterIn(documents: readonly unknown[]): K8sCluster | undefined {
  const objects = documents.flatMap(objectsIn);
  const metadataOf = (kind: string) =>
    objects.filter((object) => object.kind === kind).map(({ value }) => value);
  const system = metadataOf('Namespace').find(
    ({ metadata }) => isObject(metadata) && metadata.name === 'kube-system',
  );
  const uid = isObject(system?.metadata) ? system.metadata.uid : undefined;
  if (typeof uid !== 'string') return undefined;
  const [node] = metadataOf('Node');
  const at = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);
  const labels = at(node?.metadata, 'labels');
  const type = clusterType({
    ...{ host: '', names: [], labels: isObject(labels) ? labels : {} },
    gitVersion: String(at(at(node?.status, 'nodeInfo'), 'kubeletVersion') ?? ''),
    providerId: String(at(node?.spec, 'providerID') ?? ''),
  });
  return { id: uid, type };
}

interface ImportedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: Record<string, unknown>;
}

/** The elements of a list of one kind need not name it. */
function objectsIn(document: unknown): ImportedObject[] {
  const { apiVersion, kind } = headOf(document);
  const value = document as Record<string, unknown>;
  if (!kind.endsWith('List')) return [{ apiVersion, kind, value }];
  if (value.items !== null && !Array.isArray(value.items)) throw invalid(`${kind} without an array of items`);
  const ofElements = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  return (value.items ?? []).map((element: unknown) => {
    const head = headOf({ ...ofElements, ...(isObject(element) ? element : {}) });
    return { ...head, value: element as Record<string, unknown> };
  });
}

function headOf(value: unknown): { apiVersion: string; kind: string } {
  const { apiVersion, kind } = isObject(value) ? value : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw invalid('an element without apiVersion or kind: use the output of kubectl get -o json');
  return { apiVersion, kind };
}

/** Any version of an API group. */
function declarationOf(apiVersion: string, kind: string): { service: K8sService; kind: K8sKind } | undefined {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  for (const service of k8sServices) {
    const declared = service.group === group && service.kinds.find((one) => one.kind === kind);
    if (declared) return { service, kind: declared };
  }
  return undefined;
}

function isWanted({ only }: K8sKind, { metadata }: Record<string, unknown>): boolean {
  if (!only) return true;
  return (
    isObject(metadata) && metadata.namespace === only.namespace && only.names.includes(String(metadata.name))
  );
}

function emptyKinds(document: unknown): string[] {
  const { apiVersion, kind } = headOf(document);
  const declared =
    kind.endsWith('List') && kind !== 'List' && declarationOf(apiVersion, kind.slice(0, -'List'.length));
  return declared ? [datasourceOf(declared.kind)] : [];
}

function invalid(problem: string): CollectError {
  return new CollectError({ status: 'failed', reason: `The file has ${problem}.` });
}
