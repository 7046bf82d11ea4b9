import { parseBootTime } from '../host/boot-time.ts';
import type { Host } from '../host/host.ts';
import type { HostFiles } from '../host/host-files.ts';
import { valueOr } from '../reading.ts';
import type { Gap } from '../source.ts';
import type { CloudInstance } from './cloud/cloud-instance.ts';
import { CloudMetadata } from './cloud/cloud-metadata.ts';
import { readHostname } from './hostname.ts';
import { type Kernel, readKernel } from './kernel.ts';
import { type HostIds, readHostIds } from './machine-number.ts';
import { type Network, readNetwork } from './network.ts';
import { type Distribution, distributionOf, readOsRelease } from './os-release.ts';
import { type Processor, parseCpuinfo, parseMemTotal } from './processor.ts';
import { type Tags, tagsOf } from './tags.ts';

/** Sources that are observed at the same time share what was read. */
const freshFor = 10_000;
/** The time of the boot follows the clock, which is corrected all the time. */
const clockStep = 60_000;
const maxBytes = 4 * 1024 * 1024;

export interface MachineFacts {
  readonly hostname?: string;
  readonly distribution: Distribution;
  readonly kernel: Kernel;
  readonly processor: Processor;
  readonly memoryKilobytes?: number;
  /** Milliseconds since the epoch. */
  readonly bootedAt?: number;
  readonly ids: HostIds;
  readonly network: Network;
  readonly instance?: CloudInstance;
  readonly tags: Tags;
  readonly gaps: readonly Gap[];
}

export interface MachineReaderOptions {
  /** Those of the configuration. */
  readonly tags: Readonly<Record<string, string>>;
  readonly cloud?: CloudMetadata;
}

/** Reads what the host is. */
export class MachineReader {
  readonly #tags: Readonly<Record<string, string>>;
  readonly #cloud: CloudMetadata;
  #last: { readonly at: number; readonly facts: Promise<MachineFacts> } | undefined;
  #bootedAt: number | undefined;

  constructor({ tags, cloud = new CloudMetadata() }: MachineReaderOptions) {
    this.#tags = tags;
    this.#cloud = cloud;
  }

  read(host: Host): Promise<MachineFacts> {
    const at = host.now();
    if (!this.#last || at < this.#last.at || at >= this.#last.at + freshFor) {
      this.#last = { at, facts: this.#read(host) };
      // What failed is not kept.
      this.#last.facts.catch(() => {
        this.#last = undefined;
      });
    }
    return this.#last.facts;
  }

  async #read(host: Host): Promise<MachineFacts> {
    const { files } = host;
    const gaps: Gap[] = [];
    const [network, instance, hostname] = await Promise.all([
      readNetwork(files),
      this.#cloud.instance(host),
      readHostname(files),
    ]);
    const text = async (path: string) => {
      const reading = await files.text(path, maxBytes);
      if (reading.is === 'unreadable') gaps.push({ what: 'properties of the host', reason: reading.reason });
      return valueOr(reading, '');
    };
    const processor = parseCpuinfo(await text('/proc/cpuinfo'));
    const memoryKilobytes = parseMemTotal(await text('/proc/meminfo'));
    const bootedAt = this.#steady(parseBootTime(await text('/proc/stat')));
    const address = network.primaryAddress;
    return {
      ...(hostname !== undefined && { hostname }),
      distribution: await readDistribution(files, gaps),
      kernel: await readKernel(files),
      processor,
      ...(memoryKilobytes !== undefined && { memoryKilobytes }),
      ...(bootedAt !== undefined && { bootedAt }),
      ids: await readHostIds(files),
      network,
      ...(instance && { instance }),
      tags: tagsOf({
        ...(hostname !== undefined && { hostname }),
        ...(address !== undefined && { address }),
        isVirtual: processor.isVirtual,
        ...(instance && { instance }),
        configured: this.#tags,
      }),
      gaps: [...gaps, ...network.gaps],
    };
  }

  #steady(bootedAt: number | undefined): number | undefined {
    if (bootedAt === undefined) return this.#bootedAt;
    if (this.#bootedAt === undefined || Math.abs(this.#bootedAt - bootedAt) > clockStep)
      this.#bootedAt = bootedAt;
    return this.#bootedAt;
  }
}

async function readDistribution(files: HostFiles, gaps: Gap[]): Promise<Distribution> {
  const release = await readOsRelease(files);
  if (release.is === 'read') return distributionOf(release.value);
  const reason =
    release.is === 'unreadable'
      ? release.reason
      : 'It has no /etc/os-release. If the agent runs in a container, mount /etc and /usr of the host.';
  gaps.push({ what: 'distribution of the host', reason });
  return distributionOf(new Map());
}
