import { isIPv4 } from 'node:net';
import { type Reading, read, unreadable } from '../reading.ts';
import type { Container, Image, Pod, RuntimeType } from './container.ts';
import { maskedEnvironment } from './environment.ts';
import { imageIdOf } from './image-name.ts';
import { JsonValue } from './json-value.ts';
import { boundedLabels } from './labels.ts';
import { MalformedMessage, Message } from './protobuf.ts';

/** An entry of ListContainers. */
export interface CriContainer {
  readonly id: string;
  readonly sandboxId: string;
  readonly name: string;
  /** A name, an id or a digest. */
  readonly image: string;
  readonly imageRef: string;
  readonly isRunning: boolean;
  readonly labels: Readonly<Record<string, string>>;
}

/** An entry of ListPodSandbox. */
export interface CriSandbox {
  readonly id: string;
  readonly isReady: boolean;
  readonly pod: Pod;
}

export type CriContainerDetails = Pick<
  Container,
  'startedAt' | 'endedAt' | 'volumes' | 'environment' | 'isPrivileged'
> & { readonly image: string };

export type CriSandboxDetails = Pick<Container, 'networkMode' | 'pidMode'> & { readonly address: string };

const runningContainer = 1;
const readySandbox = 0;
/** Of the enumeration NamespaceMode. */
const namespaceOfNode = 2;
const maxMounts = 1_000;

/** Field numbers are those of `runtime.v1` in the definition of the container runtime interface. */
export function parseContainers(bytes: Buffer): Reading<CriContainer[]> {
  return understood(bytes, (answer) =>
    answer.messages(1).map((container) => ({
      id: container.string(1),
      sandboxId: container.string(2),
      name: container.message(3).string(1),
      image: container.message(4).string(1),
      // Newer runtimes give the id apart from the reference.
      imageRef: container.string(10) || container.string(5),
      isRunning: container.count(6) === runningContainer,
      labels: boundedLabels(container.entries(8)),
    })),
  );
}

export function parseSandboxes(bytes: Buffer): Reading<CriSandbox[]> {
  return understood(bytes, (answer) =>
    answer.messages(1).map((sandbox) => ({
      id: sandbox.string(1),
      pod: { name: sandbox.message(2).string(1), namespace: sandbox.message(2).string(3) },
      isReady: sandbox.count(3) === readySandbox,
    })),
  );
}

export function parseContainerStatus(bytes: Buffer): Reading<CriContainerDetails> {
  return understood(bytes, (answer) => {
    const container = answer.message(1);
    const [startedAt, endedAt] = [container.milliseconds(5), container.milliseconds(6)];
    const mounts = container.messages(14).slice(0, maxMounts);
    const info = new Map(answer.entries(2)).get('info') ?? '';
    return {
      image: container.message(8).string(1),
      ...(startedAt > 0 && { startedAt }),
      ...(endedAt > 0 && { endedAt }),
      volumes: Object.fromEntries(mounts.map((mount) => [mount.string(2), mount.string(1)])),
      ...informationOf(JsonValue.parse(info)),
    };
  });
}

/** The verbose part of the answer is JSON, and differs between containerd and CRI-O. */
function informationOf(info: JsonValue | undefined): Pick<Container, 'environment' | 'isPrivileged'> {
  const process = info?.at('runtimeSpec').at('process');
  const isPrivileged =
    info?.at('privileged').boolean ??
    info?.at('config').at('linux').at('security_context').at('privileged').boolean;
  const hasConfiguration = info?.at('config').at('linux').at('security_context').isObject ?? false;
  return {
    ...(process?.isObject && { environment: maskedEnvironment(process.at('env').strings) }),
    // containerd leaves out what is false.
    ...((isPrivileged !== undefined || hasConfiguration) && { isPrivileged: isPrivileged ?? false }),
  };
}

export function parseSandboxStatus(bytes: Buffer): Reading<CriSandboxDetails> {
  return understood(bytes, (answer) => {
    const status = answer.message(1);
    const network = status.message(5);
    const addresses = [network.string(1), ...network.messages(2).map((ip) => ip.string(1))];
    const options = status.message(6).message(1).message(2);
    return {
      address: addresses.find(isIPv4) ?? addresses[0] ?? '',
      networkMode: options.count(1) === namespaceOfNode ? 'Host' : 'Pod',
      pidMode: options.count(2) === namespaceOfNode ? 'Host' : 'Private',
    };
  });
}

export function parseImages(bytes: Buffer, runtime: RuntimeType): Reading<Image[]> {
  return understood(bytes, (answer) =>
    answer.messages(1).map((image) => ({
      id: imageIdOf(image.string(1)),
      runtime,
      tags: image.strings(2),
      digests: image.strings(3),
      size: image.count(4),
    })),
  );
}

function understood<Value>(bytes: Buffer, parse: (answer: Message) => Value): Reading<Value> {
  try {
    return read(parse(new Message(bytes)));
  } catch (error) {
    if (error instanceof MalformedMessage) return unreadable(`Its answer is malformed: ${error.message}`);
    throw error;
  }
}
