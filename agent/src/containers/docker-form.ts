import { isIP, isIPv4 } from 'node:net';
import type { Container, Image, RuntimeType } from './container.ts';
import { containerName, podOfLabels, shortId } from './container-name.ts';
import { maskedEnvironment } from './environment.ts';
import { imageIdOf, parseImageName } from './image-name.ts';
import type { JsonValue } from './json-value.ts';
import { boundedLabels } from './labels.ts';

/** An entry of `/containers/json`. */
export interface ListedContainer {
  readonly id: string;
  /** `running`, `exited`. */
  readonly state: string;
  readonly json: JsonValue;
}

const containerId = /^[0-9a-f]{64}$/;
const runningStates = new Set(['running', 'paused', 'restarting']);
const maxEntries = 1_000;

/** Undefined if the entry has no id, and so is not a container. */
export function parseListed(json: JsonValue): ListedContainer | undefined {
  const id = json.at('Id').string;
  if (id === undefined || !containerId.test(id)) return undefined;
  return { id, state: json.at('State').string?.toLowerCase() ?? '', json };
}

/** Whether it only holds the namespaces of a pod. */
export function isSandbox({ json }: ListedContainer): boolean {
  const labels = json.at('Labels');
  return (
    labels.at('io.kubernetes.docker.type').string === 'podsandbox' ||
    labels.at('io.cri-containerd.kind').string === 'sandbox'
  );
}

/** What `/containers/ID/json` adds to the entry of the list. */
export type ContainerDetails = Pick<
  Container,
  'startedAt' | 'endedAt' | 'environment' | 'networkMode' | 'pidMode' | 'isPrivileged'
> & { readonly image?: string };

export function parseDetails(json: JsonValue): ContainerDetails {
  const [image, networkMode] = [json.at('Config').at('Image').string, networkModeOf(json)];
  const [startedAt, endedAt] = [
    json.at('State').at('StartedAt').time,
    json.at('State').at('FinishedAt').time,
  ];
  const isPrivileged = json.at('HostConfig').at('Privileged').boolean;
  return {
    environment: maskedEnvironment(json.at('Config').at('Env').strings),
    pidMode: json.at('HostConfig').at('PidMode').string === 'host' ? 'Host' : 'Private',
    ...(image !== undefined && { image }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(networkMode !== undefined && { networkMode }),
    ...(isPrivileged !== undefined && { isPrivileged }),
  };
}

export function parseContainer(
  { id, state, json }: ListedContainer,
  { image, ...details }: ContainerDetails,
  runtime: RuntimeType,
): Container {
  const labels = boundedLabels(
    json.at('Labels').entries.flatMap(([name, { string }]) => (string ? [[name, string] as const] : [])),
  );
  const pod = podOfLabels(labels);
  const given = json.at('Names').strings[0]?.replace(/^\//, '') ?? shortId(id);
  const shortName = labels['io.kubernetes.container.name'] ?? given;
  const imageName = parseImageName(image ?? json.at('Image').string ?? '');
  const networkMode = networkModeOf(json);
  const addresses = addressesOf(json.at('NetworkSettings').at('Networks'));
  return {
    ...{ id, runtime, shortName, labels },
    name: containerName(shortName, pod),
    imageId: imageIdOf(json.at('ImageID').string ?? 'unknown'),
    ...(imageName && { imageRepo: imageName.repo }),
    ...(imageName && { imageTag: imageName.tag ?? imageName.digest ?? 'latest' }),
    ...(pod && { pod: { ...pod, ...(addresses.ipv4 && { address: addresses.ipv4 }) } }),
    isRunning: runningStates.has(state),
    volumes: volumesOf(json.at('Mounts')),
    ports: portsOf(json.at('Ports')),
    ...addresses,
    ...(networkMode !== undefined && { networkMode }),
    ...details,
  };
}

/** `host` → `Host`; the name of a network stays. */
function networkModeOf(json: JsonValue): string | undefined {
  const mode = json.at('HostConfig').at('NetworkMode').string;
  if (mode === undefined) return undefined;
  if (mode.startsWith('container:')) return 'Container';
  if (mode === 'default') return 'Bridge';
  return ['host', 'none', 'bridge', 'private'].includes(mode)
    ? `${mode.charAt(0).toUpperCase()}${mode.slice(1)}`
    : mode.slice(0, 200);
}

function addressesOf(networks: JsonValue): { ipv4?: string; ipv6?: string } {
  const all = networks.entries.map(([, network]) => network);
  const ipv4 = all.flatMap((network) => network.at('IPAddress').string ?? []).find(isIPv4);
  const ipv6 = all.flatMap((network) => network.at('GlobalIPv6Address').string ?? []).find((ip) => isIP(ip));
  return { ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }) };
}

function volumesOf(mounts: JsonValue): Record<string, string> {
  const entries = mounts.items.slice(0, maxEntries).flatMap((mount): [string, string][] => {
    const source = mount.at('Source').string ?? mount.at('Name').string;
    const destination = mount.at('Destination').string;
    return source && destination ? [[source, destination]] : [];
  });
  return Object.fromEntries(entries);
}

function portsOf(ports: JsonValue): Record<string, string> {
  const entries = ports.items.slice(0, maxEntries).flatMap((port): [string, string][] => {
    const number = port.at('PrivatePort').count;
    return number === undefined ? [] : [[String(number), port.at('Type').string?.toUpperCase() ?? 'TCP']];
  });
  return Object.fromEntries(entries);
}

/** An entry of `/images/json`; undefined if it has no id. */
export function parseImage(json: JsonValue, runtime: RuntimeType): Image | undefined {
  const id = json.at('Id').string;
  if (id === undefined) return undefined;
  const [created, virtualSize, parentId] = [
    json.at('Created').count,
    json.at('VirtualSize').count,
    json.at('ParentId').string,
  ];
  return {
    ...{ id: imageIdOf(id), runtime, size: json.at('Size').count ?? 0 },
    tags: json.at('RepoTags').strings.slice(0, maxEntries),
    digests: json.at('RepoDigests').strings.slice(0, maxEntries),
    ...(virtualSize !== undefined && { virtualSize }),
    // The largest time that a date represents.
    ...(created !== undefined && created > 0 && created <= 8.64e12 && { createdAt: created * 1000 }),
    ...(parentId !== undefined && { parentId }),
  };
}
