import { type Reading, read } from '../reading.ts';
import type { Gap } from '../source.ts';
import type { Container, Image, Inventory } from './container.ts';
import { containerName, podOfLabels, shortId } from './container-name.ts';
import { type CriCall, CriConnection } from './cri-connection.ts';
import {
  type CriContainer,
  type CriContainerDetails,
  type CriSandbox,
  type CriSandboxDetails,
  parseContainerStatus,
  parseContainers,
  parseImages,
  parseSandboxes,
  parseSandboxStatus,
} from './cri-form.ts';
import { DetailCache } from './detail-cache.ts';
import type { SocketLimits } from './docker-socket.ts';
import { imageIdOf, parseImageName } from './image-name.ts';
import { field } from './protobuf.ts';
import { maxListed } from './runtime.ts';
import { hasRun, SocketRuntime } from './socket-runtime.ts';

const nothing = Buffer.alloc(0);

/** containerd or CRI-O, by the container runtime interface of Kubernetes. */
export class CriRuntime extends SocketRuntime<CriConnection> {
  readonly #containers = new DetailCache<CriContainerDetails>();
  readonly #sandboxes = new DetailCache<CriSandboxDetails>();

  protected connect(place: string, signal: AbortSignal, limits?: SocketLimits): CriConnection {
    return new CriConnection(place, signal, limits);
  }

  protected async read(connection: CriConnection, now: number): Promise<Reading<Inventory>> {
    // In the installation of Docker, containerd does not have this interface: then it is absent.
    const listed = await answered(connection, 'ListContainers', nothing, parseContainers);
    if (listed.is !== 'read') return listed;
    const pods = await answered(connection, 'ListPodSandbox', nothing, parseSandboxes);
    if (pods.is !== 'read') return pods;
    const gaps: Gap[] = [];
    const images = await answered(connection, 'ListImages', nothing, (bytes) =>
      parseImages(bytes, this.type),
    );
    if (images.is === 'unreadable') gaps.push({ what: `images of ${this.name}`, reason: images.reason });
    const allImages = images.is === 'read' ? this.#bounded(images.value, 'images', gaps) : [];
    const all = this.#bounded(listed.value, 'containers', gaps);
    const sandboxes = this.#bounded(pods.value, 'pods', gaps);
    // The second field asks for the environment and privileges too.
    const verbose = (id: string) => Buffer.concat([field(1, id), field(2, 1n)]);
    const ofContainers = {
      ...{ what: 'containers', cache: this.#containers, keyOf },
      ask: (id: string) => answered(connection, 'ContainerStatus', verbose(id), parseContainerStatus),
    };
    const ofPods = {
      ...{ what: 'pods', cache: this.#sandboxes, keyOf: ({ id }: CriSandbox) => id },
      ask: (id: string) => answered(connection, 'PodSandboxStatus', field(1, id), parseSandboxStatus),
    };
    const details = await this.details(all, ofContainers, now, gaps);
    const ready = sandboxes.filter(({ isReady }) => isReady);
    const podDetails = await this.details(ready, ofPods, now, gaps);
    const byId = new Map(sandboxes.map((sandbox) => [sandbox.id, sandbox]));
    const containers = all
      .map((container) =>
        this.#container(container, {
          details: details.get(keyOf(container)),
          sandbox: byId.get(container.sandboxId),
          podDetails: podDetails.get(container.sandboxId),
          images: allImages,
        }),
      )
      .filter((container) => hasRun(container, now));
    const reported = new Set(containers.map(({ id }) => id));
    const otherIds = [...sandboxes, ...all].map(({ id }) => id).filter((id) => !reported.has(id));
    return read({ containers, images: allImages, otherIds, gaps });
  }

  #container(container: CriContainer, context: ContainerContext): Container {
    const { details, sandbox, podDetails, images } = context;
    const labelled = sandbox?.pod.name ? sandbox.pod : podOfLabels(container.labels);
    const address = podDetails?.address;
    const pod = labelled && { ...labelled, ...(address && { address }) };
    const references = [container.imageRef, container.image, details?.image ?? ''];
    const image = images.find((known) => references.some((reference) => isNamed(known, reference)));
    const name = [details?.image ?? '', container.image, ...(image?.tags ?? []), ...(image?.digests ?? [])]
      .map(parseImageName)
      .find((parsed) => parsed !== undefined);
    const shortName = container.name || shortId(container.id);
    const { image: _, ...known } = details ?? { image: '', volumes: {} };
    return {
      ...{ id: container.id, runtime: this.type, shortName, labels: container.labels, ports: {} },
      name: containerName(shortName, pod),
      imageId: image?.id ?? (imageIdOf(container.imageRef) || 'unknown'),
      ...(name && { imageRepo: name.repo, imageTag: name.tag ?? name.digest ?? 'latest' }),
      ...(pod && { pod }),
      isRunning: container.isRunning,
      ...known,
      ...(podDetails?.networkMode && { networkMode: podDetails.networkMode }),
      ...(podDetails?.pidMode && { pidMode: podDetails.pidMode }),
      ...(address && (address.includes(':') ? { ipv6: address } : { ipv4: address })),
    };
  }

  #bounded<Entry extends { readonly id: string }>(
    entries: readonly Entry[],
    what: string,
    gaps: Gap[],
  ): Entry[] {
    const bounded = entries.slice(0, maxListed).filter(({ id }) => id !== '');
    const missing = entries.length - bounded.length;
    if (missing > 0)
      gaps.push({
        what: `${missing} ${what} of ${this.name}`,
        reason: `They have no id, or are not among the first ${maxListed}.`,
      });
    return bounded;
  }
}

interface ContainerContext {
  readonly details: CriContainerDetails | undefined;
  readonly sandbox: CriSandbox | undefined;
  readonly podDetails: CriSandboxDetails | undefined;
  readonly images: readonly Image[];
}

function keyOf({ id, isRunning }: CriContainer): string {
  return `${id} ${isRunning}`;
}

function isNamed({ id, tags, digests }: Image, reference: string): boolean {
  return reference !== '' && (id === imageIdOf(reference) || [...tags, ...digests].includes(reference));
}

async function answered<Value>(
  connection: CriConnection,
  call: CriCall,
  message: Buffer,
  parse: (bytes: Buffer) => Reading<Value>,
): Promise<Reading<Value>> {
  const answer = await connection.call(call, message);
  return answer.is === 'read' ? parse(answer.value) : answer;
}
