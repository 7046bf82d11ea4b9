import { type Reading, read, unreadable } from '../reading.ts';
import type { Gap } from '../source.ts';
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
import { maxListed } from './runtime.ts';
import { hasRun, SocketRuntime } from './socket-runtime.ts';

/** Docker, or podman by its Docker-compatible API. */
export class DockerRuntime extends SocketRuntime<DockerSocket> {
  readonly #details = new DetailCache<ContainerDetails>();

  protected connect(place: string, signal: AbortSignal, limits?: SocketLimits): DockerSocket {
    return new DockerSocket(place, signal, limits);
  }

  protected async read(socket: DockerSocket, now: number): Promise<Reading<Inventory>> {
    const list = await socket.containers();
    if (list.is !== 'read') return list;
    if (!list.value.isArray) return unreadable('Its list of containers is not an array.');
    const gaps: Gap[] = [];
    const all = this.#understood(list.value.items, parseListed, 'containers', gaps);
    const sandboxes = all.filter(isSandbox);
    const others = all.filter((listed) => !isSandbox(listed));
    const query = {
      ...{ what: 'containers', cache: this.#details, keyOf },
      ask: async (id: string) => detailsOf(await socket.container(id)),
    };
    const details = await this.details(others, query, now, gaps);
    const containers = others
      .map((listed) => parseContainer(listed, details.get(keyOf(listed)) ?? {}, this.type))
      .filter((container) => hasRun(container, now));
    const reported = new Set(containers.map(({ id }) => id));
    const stopped = others.filter(({ id }) => !reported.has(id));
    return read({
      containers: withPodAddresses(containers, sandboxes, this.type),
      images: await this.#images(socket, gaps),
      otherIds: [...sandboxes, ...stopped].map(({ id }) => id),
      gaps,
    });
  }

  async #images(socket: DockerSocket, gaps: Gap[]) {
    const list = await socket.images();
    if (list.is === 'read' && list.value.isArray)
      return this.#understood(list.value.items, (json) => parseImage(json, this.type), 'images', gaps);
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

function detailsOf(answer: Reading<JsonValue>): Reading<ContainerDetails> {
  if (answer.is !== 'read') return answer;
  return answer.value.isObject ? read(parseDetails(answer.value)) : unreadable('An answer is not an object.');
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
