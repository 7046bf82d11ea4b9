import type { ContainerIndex } from './containers/container-index.ts';
import type { FindContainer } from './processes/process-container.ts';

/** Describes the containers of processes by what the container runtimes said last. */
export function containerOf(index: () => ContainerIndex): FindContainer {
  return (id) => {
    const container = index().get(id);
    if (!container) return undefined;
    const { imageRepo, imageTag, podName, podNamespace, podAddress } = container;
    return {
      ...(podName !== undefined && { podName }),
      info: {
        ...(imageRepo !== undefined && { image_repo: imageRepo }),
        ...(imageTag !== undefined && { image_tag: imageTag }),
        ...(podName !== undefined && { pod_name: podName }),
        ...(podNamespace !== undefined && { pod_namespace: podNamespace }),
        ...(podAddress !== undefined && { pod_ip_addr: podAddress }),
      },
    };
  };
}
