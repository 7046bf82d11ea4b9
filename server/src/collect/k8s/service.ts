import type { Resource } from '../../telemetry/resource.ts';
import type { Problem } from '../inventory/problem.ts';
import type { K8sObject } from './object.ts';

/** A rule of a role, as RBAC spells it. */
export interface RbacRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Resources that are parts of an object and have a datasource of their own. */
export interface K8sParts {
  readonly kind: string;
  readonly datasource: string;
  /** From an object without its secrets. */
  of(object: K8sObject): readonly { readonly name: string; readonly config: object }[];
}

/** A kind of objects that the API lists. Its datasource, path, call and RBAC rule follow. */
export interface K8sKind {
  /** RESOURCE_TYPE: `ClusterRole`. */
  readonly kind: string;
  /** As in paths and rules: `clusterroles`. */
  readonly resource: string;
  readonly isNamespaced: boolean;
  /** Only these objects are read, by name. */
  readonly only?: { readonly namespace: string; readonly names: readonly string[] };
  /** Only the metadata is asked for and stored, of annotations only the names. */
  readonly isMetadataOnly?: boolean;
  /** Path of the specification of a pod, whose secrets are not stored (`pod-redaction.ts`). */
  readonly podSpec?: string;
  /** Paths of members that are not stored, besides those of all kinds; `*` stands for all elements. */
  readonly drops?: readonly string[];
  readonly parts?: K8sParts;
  /** Why the right to read it is dangerous: such rights are granted by a role of their own. */
  readonly danger?: string;
}

/** What a custom read uses of a cluster. */
export interface K8sReader {
  readonly cluster: K8sCluster;
  readonly signal: AbortSignal;
  /** A JSON object. */
  get(path: string, attempts?: number): Promise<Record<string, unknown>>;
  /** All objects of a list, page by page; one that starts again repeats objects. */
  objects(
    path: string,
    members: { readonly apiVersion: string; readonly kind: string; readonly isNamespaced: boolean },
  ): AsyncIterable<K8sObject>;
  add(resource: Resource): Promise<void>;
  unread(key: string, problem: Problem): Promise<void>;
}

/** A kind that no list returns. */
export interface K8sCustomRead {
  readonly kind: string;
  /** For people: the path that is asked. */
  readonly path: string;
  readonly rules: readonly RbacRule[];
  /** Paths of secrets, of which only the names are stored. */
  readonly redact?: readonly string[];
  readonly danger?: string;
  read(reader: K8sReader): Promise<void>;
}

/** An API group. */
export interface K8sService {
  /** Shown to people: `Kubernetes apps`. */
  readonly name: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kinds: readonly K8sKind[];
  readonly reads?: readonly K8sCustomRead[];
}

export interface K8sCluster {
  /** An ARN or another full name, or the uid of the namespace kube-system. */
  readonly id: string;
  /** Empty if it is none of the known services. */
  readonly type: 'EKS' | 'GKE' | 'AKS' | '';
}

export function defineK8sService(service: K8sService): K8sService {
  return service;
}

export function datasourceOf({ kind }: { readonly kind: string }): string {
  return `LW_CFG_K8S_CLUSTER_${kind.toUpperCase()}`;
}

/** The datasources that a kind fills. */
export function datasourcesOf(kind: K8sKind): string[] {
  return [datasourceOf(kind), ...(kind.parts ? [kind.parts.datasource] : [])];
}

/** The path of a kind's list: of those in all namespaces, or in one. */
export function listPath({ group, version }: K8sService, { resource }: K8sKind, namespace?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined ? `${root}/${resource}` : `${root}/namespaces/${namespace}/${resource}`;
}

/** The rule that allows a kind to be read; in `only.namespace` if it has one. */
export function ruleOf({ group }: K8sService, { resource, only }: K8sKind): RbacRule {
  const what = { apiGroups: [group], resources: [resource] };
  return only ? { ...what, resourceNames: only.names, verbs: ['get'] } : { ...what, verbs: ['list'] };
}

/** In one line that can be pasted under `rules:`. */
export function ruleText(rule: RbacRule): string {
  const members = Object.entries(rule).map(
    ([name, values]) => `${name}: [${(values as string[]).map((value) => JSON.stringify(value)).join(', ')}]`,
  );
  return `{${members.join(', ')}}`;
}
