import { CollectError } from '../inventory/problem.ts';

/** An object of the API, with the members that all kinds have. */
export interface K8sObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: K8sMetadata;
  readonly [member: string]: unknown;
}

export interface K8sMetadata {
  readonly name: string;
  readonly uid: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The elements of a list name neither version nor kind; those that `kubectl` prints do. */
export function k8sObject(
  value: unknown,
  { apiVersion, kind, isNamespaced }: { apiVersion: string; kind: string; isNamespaced: boolean },
): K8sObject {
  const metadata = isObject(value) && isObject(value.metadata) ? value.metadata : {};
  const required = isNamespaced ? ['name', 'uid', 'namespace'] : ['name', 'uid'];
  for (const name of required)
    if (typeof metadata[name] !== 'string' || metadata[name] === '')
      throw new CollectError({
        status: 'failed',
        reason: `The API returned an object of kind ${kind} without metadata.${name}.`,
      });
  const { labels, annotations } = metadata;
  for (const [name, map] of Object.entries({ labels, annotations }))
    if (map !== undefined && map !== null && !isObject(map))
      throw new CollectError({
        status: 'failed',
        reason: `The API returned an object of kind ${kind} whose metadata.${name} is not an object.`,
      });
  return { ...(value as object), apiVersion, kind, metadata: metadata as K8sMetadata };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
