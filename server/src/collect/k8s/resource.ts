import type { Resource } from '../../telemetry/resource.ts';
import { withMember } from '../inventory/member.ts';
import { redacted } from '../inventory/redacted.ts';
import { isObject, type K8sObject } from './object.ts';
import { redactedPodSpec } from './pod-redaction.ts';
import { datasourceOf, type K8sCluster, type K8sKind } from './service.ts';

/** The region of every scope: clusters have none. */
export const globalRegion = 'global';

/** They change without a change of the object, or repeat it as it was applied, with its secrets. */
export const droppedMembers: readonly string[] = [
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.selfLink',
];
export const droppedAnnotations: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'kapp.k14s.io/original',
  'objectset.rio.cattle.io/applied',
  'banzaicloud.com/last-applied',
];

/** What identifies a resource in a cluster. */
export interface K8sIdentity {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly id: string;
}

export function urnOf(
  cluster: K8sCluster,
  { group, kind, namespace = '', name }: Omit<K8sIdentity, 'id'>,
): string {
  return `k8s:${cluster.id}/${group}/${kind}/${namespace}/${name}`;
}

export function k8sResource(
  cluster: K8sCluster,
  identity: K8sIdentity,
  config: unknown,
  labels: unknown = {},
): Resource {
  const urn = urnOf(cluster, identity);
  return {
    key: urn,
    facts: {
      ...{ URN: urn, RESOURCE_ID: identity.id, RESOURCE_TYPE: identity.kind, RESOURCE_REGION: globalRegion },
      ...{
        SERVICE: 'kubernetes',
        API_KEY: identity.kind,
        CLUSTER_ID: cluster.id,
        CLUSTER_TYPE: cluster.type,
      },
      ...(identity.namespace !== undefined && { NAMESPACE: identity.namespace }),
    },
    config: sortedJson(config),
    tags: sortedJson(labels),
  };
}

/** The resource of an object and those of its parts, by datasource. */
export function* resourcesOf(
  cluster: K8sCluster,
  group: string,
  kind: K8sKind,
  object: K8sObject,
): Generator<readonly [datasource: string, resource: Resource]> {
  const stored = storedObject(kind, object);
  const { name, uid, namespace, labels } = object.metadata;
  const identity = { group, kind: kind.kind, namespace, name, id: uid };
  yield [datasourceOf(kind), k8sResource(cluster, identity, stored, labels ?? {})];
  const { parts } = kind;
  for (const part of parts?.of(stored) ?? []) {
    const ofPart = {
      group,
      kind: parts?.kind ?? '',
      namespace,
      name: `${name}/${part.name}`,
      id: `${uid}/${part.name}`,
    };
    yield [parts?.datasource ?? '', k8sResource(cluster, ofPart, part.config, labels ?? {})];
  }
}

function storedObject(kind: K8sKind, object: K8sObject): K8sObject {
  const { apiVersion, kind: name, metadata } = object;
  let stored: unknown = kind.isMetadataOnly ? { apiVersion, kind: name, metadata } : object;
  for (const path of [...droppedMembers, ...(kind.drops ?? [])])
    stored = withMember(stored, path, () => undefined);
  stored = withMember(stored, 'metadata.annotations', withoutAppliedObjects);
  if (kind.isMetadataOnly) stored = withMember(stored, 'metadata.annotations.*', () => redacted);
  if (kind.podSpec !== undefined) stored = withMember(stored, kind.podSpec, redactedPodSpec);
  return stored as K8sObject;
}

function withoutAppliedObjects(annotations: unknown): unknown {
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !droppedAnnotations.includes(name));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The API and `kubectl` order members in different ways, which is no difference of the object. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
