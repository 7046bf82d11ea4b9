import { containers as dataset } from '../../telemetry/datasets/Containers.ts';
import type { Container } from '../company/container.ts';
import { isoTimestamp } from '../hour.ts';
import { hourly } from '../stream.ts';

/** The properties in both Containers and K8sPods. */
export function propertiesOf({ name, image, address, startedAt, isPrivileged, podName }: Container) {
  return {
    IMAGE_ID: image.id,
    IMAGE_REPO: image.repo,
    IMAGE_TAG: image.tag,
    IMAGE_CREATED_TIME: isoTimestamp(image.createdAt),
    IMAGE_SIZE: image.size,
    IMAGE_VIRTUAL_SIZE: image.size,
    CONTAINER_START_TIME: isoTimestamp(startedAt),
    CONTAINER_TYPE: 'DOCKER',
    NAME: name,
    IPV4: address,
    IPV6: `fd00::${address.split('.').slice(2).join(':')}`,
    NETWORK_MODE: isPrivileged ? 'Host' : 'None',
    PID_MODE: isPrivileged ? 'Host' : 'Private',
    PRIVILEGED: isPrivileged ? 1 : 0,
    PROPS_LABEL: podName
      ? { 'io.kubernetes.pod.name': podName, 'io.kubernetes.pod.namespace': image.namespace }
      : { 'com.docker.compose.service': name },
    PROPS_ENV: { PATH: '/usr/local/bin:/usr/bin:/bin', PORT: String(image.port) },
    VOLUME_MAP: isPrivileged ? { '/': '/host' } : {},
    LISTEN_PORT_MAP: { [String(image.port)]: 'TCP' },
    ...(podName && { POD_IP_ADDR: address, POD_TYPE: name }),
  };
}

export function containerRecord(container: Container, mid: number, tags: object) {
  return {
    mid,
    containerName: container.name,
    ...(container.podName && { podName: container.podName }),
    containerId: container.id,
    imageId: container.image.id,
    propsContainer: propertiesOf(container),
    tags,
  };
}

export const containerStream = hourly(dataset, ({ containers, mid, tags }, { window }) =>
  containers.map((container) => ({ ...window, ...containerRecord(container, mid, tags) })),
);
