import { isObject, type K8sObject } from './object.ts';
import type { K8sParts } from './service.ts';

const lists = [
  { list: 'containers', statuses: 'containerStatuses', containerType: 'container' },
  { list: 'initContainers', statuses: 'initContainerStatuses', containerType: 'initContainer' },
  {
    list: 'ephemeralContainers',
    statuses: 'ephemeralContainerStatuses',
    containerType: 'ephemeralContainer',
  },
];

/** The containers of pods: each its specification, with what it runs and where. */
export const podContainers: K8sParts = {
  kind: 'PodContainer',
  datasource: 'LW_CFG_K8S_CLUSTER_POD_CONTAINER',
  of: ({ metadata, spec, status }: K8sObject) =>
    lists.flatMap(({ list, statuses, containerType }) =>
      elementsOf(spec, list).map((container) => {
        const { name } = container;
        const { imageID, containerID } = elementsOf(status, statuses).find((one) => one.name === name) ?? {};
        const pod = { name: metadata.name, uid: metadata.uid };
        return { name: String(name), config: { ...container, containerType, imageID, containerID, pod } };
      }),
    ),
};

function elementsOf(parent: unknown, name: string): Record<string, unknown>[] {
  const elements = isObject(parent) ? parent[name] : undefined;
  return Array.isArray(elements) ? elements.filter(isObject) : [];
}
