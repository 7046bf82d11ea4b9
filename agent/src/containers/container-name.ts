import type { Pod } from './container.ts';

const nameLabel = 'io.kubernetes.pod.name';
const namespaceLabel = 'io.kubernetes.pod.namespace';

export function podOfLabels(labels: Readonly<Record<string, string>>): Pod | undefined {
  const name = labels[nameLabel];
  return name ? { name, namespace: labels[namespaceLabel] ?? '' } : undefined;
}

/** Containers of several pods have the same short name and image; records are identified by both, so the pod is added. */
export function containerName(shortName: string, pod: Pod | undefined): string {
  return pod ? [pod.namespace, pod.name, shortName].filter(Boolean).join('/') : shortName;
}

/** As runtimes display an id. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}
