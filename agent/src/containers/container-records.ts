import type { Observed } from '../source.ts';
import { timestamp } from '../timestamp.ts';
import type { Container, Image } from './container.ts';
import { shortId } from './container-name.ts';
import { parseImageName } from './image-name.ts';

export type MachineTags = Readonly<Record<string, unknown>>;

/** The properties in both Containers and K8sPods. */
function propertiesOf(container: Container, image: Image | undefined): Observed {
  const { pod, isPrivileged, imageRepo, imageTag, ipv4, ipv6, networkMode, pidMode } = container;
  return {
    IMAGE_ID: container.imageId,
    ...(imageRepo && { IMAGE_REPO: imageRepo }),
    ...(imageTag && { IMAGE_TAG: imageTag }),
    ...(image?.parentId && { IMAGE_PARENT_ID: image.parentId }),
    ...(image?.createdAt !== undefined && { IMAGE_CREATED_TIME: timestamp(image.createdAt) }),
    ...(image && { IMAGE_SIZE: image.size }),
    ...(image?.virtualSize !== undefined && { IMAGE_VIRTUAL_SIZE: image.virtualSize }),
    ...(container.startedAt !== undefined && { CONTAINER_START_TIME: timestamp(container.startedAt) }),
    CONTAINER_TYPE: container.runtime,
    NAME: container.shortName,
    ...(ipv4 && { IPV4: ipv4 }),
    ...(ipv6 && { IPV6: ipv6 }),
    ...(pod?.address && { POD_IP_ADDR: pod.address }),
    ...(networkMode && { NETWORK_MODE: networkMode }),
    ...(pidMode && { PID_MODE: pidMode }),
    ...(isPrivileged !== undefined && { PRIVILEGED: isPrivileged ? 1 : 0 }),
    PROPS_LABEL: container.labels,
    ...(container.environment && { PROPS_ENV: container.environment }),
    VOLUME_MAP: container.volumes,
    LISTEN_PORT_MAP: container.ports,
  };
}

export function containerRecord(container: Container, image: Image | undefined, tags: MachineTags): Observed {
  return {
    containerName: container.name,
    ...(container.pod && { podName: container.pod.name }),
    containerId: container.id,
    imageId: container.imageId,
    propsContainer: propertiesOf(container, image),
    tags,
  };
}

/** A container of which only its processes are known. */
export function unknownContainerRecord(id: string, tags: MachineTags): Observed {
  return {
    ...{ containerName: shortId(id), containerId: id, imageId: 'unknown' },
    propsContainer: { NAME: shortId(id), CONTAINER_TYPE: 'UNKNOWN' },
    tags,
  };
}

/** One for each pod, with the first of its containers. */
export function podRecords(
  containers: readonly Container[],
  imageOf: (container: Container) => Image | undefined,
): Observed[] {
  const pods = new Map<string, Observed>();
  for (const container of [...containers].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { pod } = container;
    if (!pod || !container.isRunning || pods.has(pod.name)) continue;
    pods.set(pod.name, {
      podName: pod.name,
      primaryIpAddr: pod.address ?? '',
      propsContainer: propertiesOf(container, imageOf(container)),
    });
  }
  return [...pods.values()];
}

/** An image may have many names, or none: then they are those that runtimes display. */
export function imageRecord(image: Image, containers: readonly Container[]): Observed {
  const [tagged] = image.tags.flatMap((tag) => parseImageName(tag) ?? []);
  const [pulled] = image.digests.flatMap((digest) => parseImageName(digest) ?? []);
  return {
    imageId: image.id,
    repo: tagged?.repo ?? pulled?.repo ?? '<none>',
    tag: tagged?.tag ?? pulled?.digest ?? '<none>',
    size: image.size,
    containerType: image.runtime,
    ...(image.createdAt !== undefined && { imageCreatedTime: timestamp(image.createdAt) }),
    ...(image.virtualSize !== undefined && { virtualSize: image.virtualSize }),
    activeCount: containers.filter(({ imageId, isRunning }) => isRunning && imageId === image.id).length,
    ...(pulled?.digest && { digest: pulled.digest }),
  };
}
