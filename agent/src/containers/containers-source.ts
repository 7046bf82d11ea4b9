import type { Host } from '../host/host.ts';
import type { ReadProcesses } from '../processes/host-process.ts';
import type { Gap, Observation, Source } from '../source.ts';
import type { Container, Image, Inventory } from './container.ts';
import { type ContainerIndex, containerIndex } from './container-index.ts';
import {
  containerRecord,
  imageRecord,
  type MachineTags,
  podRecords,
  unknownContainerRecord,
} from './container-records.ts';
import { CriRuntime } from './cri-runtime.ts';
import { DockerRuntime } from './docker-runtime.ts';
import type { ContainerRuntime } from './runtime.ts';

export interface ContainersDeps {
  readonly readProcesses: ReadProcesses;
  readonly machineTags: () => MachineTags | Promise<MachineTags>;
  /** In order of preference, for containers that several of them list. */
  readonly runtimes?: readonly ContainerRuntime[];
}

export function hostRuntimes(): ContainerRuntime[] {
  return [
    new DockerRuntime('Docker', 'DOCKER', '/var/run/docker.sock'),
    new DockerRuntime('podman', 'PODMAN', '/run/podman/podman.sock'),
    new CriRuntime('containerd', 'CONTAINERD', '/run/containerd/containerd.sock'),
    new CriRuntime('CRI-O', 'CRIO', '/var/run/crio/crio.sock'),
  ];
}

/** Reports the containers, images and pods that the runtimes of the host manage. */
export class ContainersSource implements Source {
  readonly name = 'containers';
  readonly interval = 30_000;
  readonly #readProcesses: ReadProcesses;
  readonly #machineTags: ContainersDeps['machineTags'];
  readonly #runtimes: readonly ContainerRuntime[];
  #index: ContainerIndex = new Map();
  #unknown: ReadonlySet<string> = new Set();

  constructor({ readProcesses, machineTags, runtimes = hostRuntimes() }: ContainersDeps) {
    this.#readProcesses = readProcesses;
    this.#machineTags = machineTags;
    this.#runtimes = runtimes;
  }

  /** The containers of the last observation. */
  containerIndex(): ContainerIndex {
    return this.#index;
  }

  async observe(host: Host): Promise<Observation> {
    const gaps: Gap[] = [];
    // Read first, so that a container is not unknown because it was started after the lists were read.
    const withProcesses = await this.#containersOfProcesses(gaps);
    const inventories: Inventory[] = [];
    for (const runtime of this.#runtimes) {
      const inventory = await runtime.inventory(host);
      if (inventory.is === 'unreadable')
        gaps.push({ what: `containers of ${runtime.name}`, reason: inventory.reason });
      if (inventory.is === 'read') inventories.push(inventory.value);
    }
    for (const inventory of inventories) gaps.push(...inventory.gaps);
    const containers = firstById(inventories.flatMap((inventory) => inventory.containers));
    const images = firstById(inventories.flatMap((inventory) => inventory.images));
    this.#index = containerIndex([...containers.values()]);
    const others = new Set(inventories.flatMap(({ otherIds }) => otherIds));
    const listed = (id: string) => containers.has(id) || others.has(id);
    const unknown = this.#stillUnknown(withProcesses.filter((id) => !listed(id)));
    if (unknown.length > 0) gaps.push(gapOf(unknown.length));
    return { records: await this.#records([...containers.values()], images, unknown), gaps };
  }

  async #records(
    containers: readonly Container[],
    images: ReadonlyMap<string, Image>,
    unknown: readonly string[],
  ): Promise<Observation['records']> {
    const tags = await this.#machineTags();
    const imageOf = ({ imageId }: Container) => images.get(imageId);
    return {
      'Entities/Containers': [
        ...containers.map((container) => containerRecord(container, imageOf(container), tags)),
        ...unknown.map((id) => unknownContainerRecord(id, tags)),
      ],
      'Entities/Images': [...images.values()].map((image) => imageRecord(image, containers)),
      'Entities/K8sPods': podRecords(containers, imageOf),
    };
  }

  async #containersOfProcesses(gaps: Gap[]): Promise<string[]> {
    const processes = await this.#readProcesses();
    if (processes.is === 'unreadable')
      gaps.push({ what: 'containers that no runtime lists', reason: processes.reason });
    if (processes.is !== 'read') return [];
    return [...new Set(processes.value.flatMap(({ containerId }) => containerId ?? []))];
  }

  /** Reported from the second observation on: one that was just removed is in no list, but is not unknown. */
  #stillUnknown(ids: readonly string[]): string[] {
    const still = ids.filter((id) => this.#unknown.has(id));
    this.#unknown = new Set(ids);
    return still;
  }
}

function gapOf(count: number): Gap {
  return {
    what: `names and images of ${count} containers`,
    reason:
      'Their processes are seen, but no runtime that the agent can read lists them: let the agent open the socket of the runtime.',
  };
}

function firstById<Entry extends { readonly id: string }>(entries: readonly Entry[]): Map<string, Entry> {
  const byId = new Map<string, Entry>();
  for (const entry of entries) if (!byId.has(entry.id)) byId.set(entry.id, entry);
  return byId;
}
