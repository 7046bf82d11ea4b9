import { containers as dataset } from '../telemetry/datasets/Containers.ts';
import { momentText } from './hour.ts';
import type { Image } from './images.ts';
import type { Random } from './random.ts';
import type { Role } from './role.ts';
import { hourly } from './stream.ts';

export interface Container {
  readonly id: string;
  readonly name: string;
  /** None in containers that Docker alone runs. */
  readonly podName?: string;
  readonly image: Image;
  readonly address: string;
  readonly startedAt: number;
  readonly isPrivileged: boolean;
}

interface Place {
  readonly role: Pick<Role, 'runs'>;
  readonly index: number;
  readonly images: readonly Image[];
  readonly bootAt: number;
}

export function startContainers({ role, index, images, bootAt }: Place, random: Random): Container[] {
  if (role.runs === 'neither') return [];
  const chosen = role.runs === 'pods' ? images : random.some(images, 2);
  return chosen.map((image, place) => {
    const name = image.repo.split('/').at(-1) as string;
    const podName = `${name}-${random.hex(9)}-${random.hex(5)}`;
    return {
      id: random.hex(64),
      name,
      ...(role.runs === 'pods' && { podName }),
      image,
      address: role.runs === 'pods' ? `10.244.${index % 250}.${place + 10}` : `172.17.0.${place + 2}`,
      startedAt: bootAt + 300_000 + place * 4_000,
      isPrivileged: false,
    };
  });
}

/** As Containers and K8sPods both show it. */
export function propertiesOf({ name, image, address, startedAt, isPrivileged, podName }: Container) {
  return {
    IMAGE_ID: image.id,
    IMAGE_REPO: image.repo,
    IMAGE_TAG: image.tag,
    IMAGE_CREATED_TIME: momentText(image.createdAt),
    IMAGE_SIZE: image.size,
    IMAGE_VIRTUAL_SIZE: image.size,
    CONTAINER_START_TIME: momentText(startedAt),
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
