import type { Random } from '../random.ts';
import type { Image } from './image.ts';
import type { Role } from './role.ts';

export interface Container {
  readonly id: string;
  readonly name: string;
  /** Absent for plain Docker containers. */
  readonly podName?: string;
  readonly image: Image;
  readonly address: string;
  readonly startedAt: number;
  readonly isPrivileged: boolean;
}

interface Placement {
  readonly role: Pick<Role, 'runs'>;
  readonly index: number;
  readonly images: readonly Image[];
  readonly bootAt: number;
}

export function startContainers({ role, index, images, bootAt }: Placement, random: Random): Container[] {
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
