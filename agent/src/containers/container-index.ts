import type { Container } from './container.ts';

/** What the processes of a container are reported with. */
export interface ContainerNames {
  readonly name: string;
  readonly imageRepo?: string;
  readonly imageTag?: string;
  readonly podName?: string;
  readonly podNamespace?: string;
  readonly podAddress?: string;
}

/** By the id of the container. */
export type ContainerIndex = ReadonlyMap<string, ContainerNames>;

export function containerIndex(containers: readonly Container[]): ContainerIndex {
  return new Map(
    containers.map(({ id, name, imageRepo, imageTag, pod }) => [
      id,
      {
        name,
        ...(imageRepo && { imageRepo }),
        ...(imageTag && { imageTag }),
        ...(pod && { podName: pod.name, podNamespace: pod.namespace }),
        ...(pod?.address && { podAddress: pod.address }),
      },
    ]),
  );
}
