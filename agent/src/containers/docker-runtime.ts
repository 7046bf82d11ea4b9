import type { Host } from '../host/host.ts';
import { type Reading, read, unreadable } from '../reading.ts';
import type { Gap } from '../source.ts';
import { startOfHour } from '../timestamp.ts';
import type { Inventory, RuntimeType } from './container.ts';
import { DetailCache } from './detail-cache.ts';
import {
  type ContainerDetails,
  isSandbox,
  type ListedContainer,
  parseContainer,
  parseDetails,
  parseImage,
  parseListed,
} from './docker-form.ts';
import { DockerSocket, type SocketLimits } from './docker-socket.ts';
import type { JsonValue } from './json-value.ts';
import { type ContainerRuntime, maxDuration, maxListed } from './runtime.ts';

/** Docker, or podman by its Docker-compatible API. */
export class DockerRuntime implements ContainerRuntime {
  readonly name: string;
  readonly #type: RuntimeType;
  readonly #path: string;
  readonly #limits: SocketLimits | undefined;
  readonly #details = new DetailCache<ContainerDetails>();

  constructor(name: string, type: RuntimeType, path: string, limits?: SocketLimits) {
    this.name = name;
    this.#type = type;
    this.#path = path;
    this.#limits = limits;
  }

  async inventory(host: Host): Promise<Reading<Inventory>> {
    const place = await host.files.place(this.#path);
    if (place.is !== 'read') return place;
    const signal = AbortSignal.any([host.signal, AbortSignal.timeout(maxDuration)]);
    const socket = new DockerSocket(place.value, signal, this.#limits);
    try {
      return await this.#read(socket, host.now());
    } finally {
      socket.close();
    }
  }

  async #read(socket: DockerSocket, now: number): Promise<Reading<Inventory>> {
    const list = await socket.containers();
    if (list.is !== 'read') return list;
    if (!list.value.isArray) return unreadable('Its list of containers is not an array.');
    const gaps: Gap[] = [];
    const all = this.#understood(list.value.items, parseListed, 'containers', gaps);
    const sandboxes = all.filter(isSandbox);
    const others = all.filter((listed) => !isSandbox(listed));
    const details = await this.#detailsOf(socket, others, now, gaps);
    // Those that ended in this hour have run in it.
    const hour = startOfHour(now);
    const containers = others
      .map((listed) => parseContainer(listed, details.get(keyOf(listed)) ?? {}, this.#type))
      .filter(({ isRunning, endedAt = 0 }) => isRunning || endedAt >= hour);
    const reported = new Set(containers.map(({ id }) => id));
    const stopped = others.filter(({ id }) => !reported.has(id));
    return read({
      containers: withPodAddresses(containers, sandboxes, this.#type),
      images: await this.#images(socket, gaps),
      otherIds: [...sandboxes, ...stopped].map(({ id }) => id),
      gaps,
    });
  }

  async #detailsOf(socket: DockerSocket, listed: readonly ListedContainer[], now: number, gaps: Gap[]) {
    const ids = new Map(listed.map((container) => [keyOf(container), container.id]));
    let failed = 0;
    let reason = '';
    const details = await this.#details.all([...ids.keys()], now, async (key) => {
      const detail = await socket.container(ids.get(key) ?? '');
      if (detail.is === 'read' && detail.value.isObject) return parseDetails(detail.value);
      // One that has been removed since the list is not missing.
      if (detail.is !== 'absent') {
        failed++;
        reason = detail.is === 'unreadable' ? detail.reason : 'An answer is not an object.';
      }
      return undefined;
    });
    if (failed > 0) gaps.push({ what: `details of ${failed} containers of ${this.name}`, reason });
    return details;
  }

  async #images(socket: DockerSocket, gaps: Gap[]) {
    const list = await socket.images();
    if (list.is === 'read' && list.value.isArray)
      return this.#understood(list.value.items, (json) => parseImage(json, this.#type), 'images', gaps);
    const reason = list.is === 'unreadable' ? list.reason : 'Its list of images is not an array.';
    gaps.push({ what: `images of ${this.name}`, reason });
    return [];
  }

  #understood<Entry>(
    items: readonly JsonValue[],
    parse: (json: JsonValue) => Entry | undefined,
    what: string,
    gaps: Gap[],
  ): Entry[] {
    const some = items.slice(0, maxListed);
    const entries = some.flatMap((item) => parse(item) ?? []);
    const missing = items.length - entries.length;
    if (missing > 0)
      gaps.push({
        what: `${missing} ${what} of ${this.name}`,
        reason:
          items.length > maxListed
            ? `Only the first ${maxListed} are reported.`
            : 'Their entries in the list have no valid id.',
      });
    return entries;
  }
}

function keyOf({ id, state }: ListedContainer): string {
  return `${id} ${state}`;
}

/** The containers of a pod use the network of its sandbox. */
function withPodAddresses(
  containers: Inventory['containers'],
  sandboxes: readonly ListedContainer[],
  type: RuntimeType,
): Inventory['containers'] {
  const addresses = new Map(
    sandboxes.flatMap((sandbox) => {
      const { pod } = parseContainer(sandbox, {}, type);
      return pod?.address ? [[`${pod.namespace}/${pod.name}`, pod.address] as const] : [];
    }),
  );
  return containers.map((container) => {
    const { pod } = container;
    const address = pod && addresses.get(`${pod.namespace}/${pod.name}`);
    return pod && address ? { ...container, pod: { ...pod, address } } : container;
  });
}
