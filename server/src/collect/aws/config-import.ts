import type { Resource } from '../../telemetry/resource.ts';
import type { Problem } from '../inventory/problem.ts';
import { globalRegion } from './aws-resource.ts';
import { loadAwsServices } from './catalogue.ts';
import { type ConfigItem, configItemIn, invalid, membersOf } from './config-item.ts';
import { configTypes } from './config-types.ts';
import { regionsOf } from './plan.ts';
import { AwsReader } from './reader.ts';
import { NotRecorded, RecordedCalls } from './recorded-calls.ts';
import {
  type AwsAccount,
  type AwsCustomRead,
  type AwsRead,
  type AwsService,
  isCustom,
  kindsOf,
} from './service.ts';

/** All resources of a kind in a region, as far as the file has them. */
export interface ImportedAwsScope {
  readonly kind: string;
  readonly cloudAccount: string;
  readonly region: string;
  readonly resources: readonly Resource[];
  /** Why the resources of the kind could not be taken. */
  readonly problem?: Problem;
}

export interface ConfigImport {
  readonly scopes: readonly ImportedAwsScope[];
  /** Resources of types that are not imported, by type. */
  readonly ignored: Readonly<Record<string, number>>;
  /** When the last resource was recorded, in epoch milliseconds. */
  readonly captured: number;
}

/** What a snapshot of AWS Config holds, as a collection would have found it. */
export async function importAwsConfig(file: unknown): Promise<ConfigImport> {
  const items = itemsIn(file);
  const known = items.filter(({ type }) => Object.hasOwn(configTypes, type));
  const ignored: Record<string, number> = {};
  for (const { type } of items)
    if (!Object.hasOwn(configTypes, type))
      ignored[type.slice(0, 200)] = (ignored[type.slice(0, 200)] ?? 0) + 1;
  const services = await loadAwsServices();
  const scopes: ImportedAwsScope[] = [];
  for (const group of groupsOf(known)) scopes.push(...(await importedGroup(group, services)));
  return { scopes, ignored, captured: items.reduce((last, { captured }) => Math.max(last, captured), 0) };
}

/** History files hold changes only: taken for a snapshot, they would remove everything else. */
function itemsIn(file: unknown): ConfigItem[] {
  const { configurationItems, configSnapshotId } = membersOf(file);
  if (!Array.isArray(configurationItems))
    throw invalid(
      'It has no array configurationItems: use the files below ConfigSnapshot/ that AWS Config delivers.',
    );
  if (typeof configSnapshotId !== 'string')
    throw invalid(
      'It has no configSnapshotId, so that it may be a history of changes: use the files below ConfigSnapshot/.',
    );
  return configurationItems.flatMap((item, index) => configItemIn(item, index) ?? []);
}

/** The resources of one service in one region of one account. */
function groupsOf(items: readonly ConfigItem[]): ConfigItem[][] {
  const groups = new Map<string, ConfigItem[]>();
  for (const item of items) {
    const name = [item.account, item.region, configTypes[item.type]?.service].join(' ');
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return [...groups.values()];
}

async function importedGroup(
  items: readonly ConfigItem[],
  services: readonly AwsService[],
): Promise<ImportedAwsScope[]> {
  const [first] = items as [ConfigItem];
  const service = services.find(({ prefix }) => prefix === configTypes[first.type]?.service);
  if (!service) return [];
  const calls = new Set(items.map(({ type }) => configTypes[type]?.call ?? ''));
  const sdk = await service.load();
  const recorded = new RecordedCalls({
    account: accountOf(first),
    service,
    region: first.region,
    sdk,
    items,
  });
  const scopes: ImportedAwsScope[] = [];
  for (const read of service.reads) {
    if (!(isCustom(read) ? read.calls.every((call) => calls.has(call)) : calls.has(read.call))) continue;
    const output = new ImportOutput();
    const regions = regionsOf(service, read);
    if (isCustom(read)) await read.read(recorded, output);
    else await new AwsReader(recorded, output).readAll(read, regions);
    const isGlobal = regions === 'once' && (isCustom(read) || read.itemRegion === undefined);
    const region = isGlobal ? globalRegion : first.region;
    for (const kind of knownKinds(read, output))
      scopes.push({ kind, cloudAccount: first.account, region, ...output.of(kind) });
  }
  return scopes;
}

/** One wide call fills kinds of several types, which may not all be in the file. */
function knownKinds(read: AwsRead | AwsCustomRead, output: ImportOutput): string[] {
  const recorded = kindsOf(read).filter((kind) => !output.isUnknown(kind));
  if (!isCustom(read)) return recorded;
  const found = new Set(
    recorded.filter((kind) => output.of(kind).resources.length > 0).map((kind) => read.kinds[kind]?.type),
  );
  return recorded.filter((kind) => found.has(read.kinds[kind]?.type));
}

/** Alias and organization are not in the file. */
function accountOf({ account, arn }: ConfigItem): AwsAccount {
  const [, partition = 'aws'] = /^arn:(aws[\w-]*):/.exec(arn) ?? [];
  return { id: account, alias: '', partition, organization: '' };
}

/** Keeps what a read found, and which kinds the file does not have. */
class ImportOutput {
  readonly #resources = new Map<string, Resource[]>();
  readonly #unknown = new Set<string>();
  readonly #problems = new Map<string, Problem>();

  async add(kind: string, resource: Resource): Promise<void> {
    const resources = this.#resources.get(kind);
    if (resources) resources.push(resource);
    else this.#resources.set(kind, [resource]);
  }

  async unread(kind: string, _key: string, problem: Problem): Promise<void> {
    this.gap(kind, problem);
  }

  gap(kind: string, problem: Problem): void {
    if (problem instanceof NotRecorded) this.#unknown.add(kind);
    else this.#problems.set(kind, problem);
  }

  isUnknown(kind: string): boolean {
    return this.#unknown.has(kind);
  }

  of(kind: string): { resources: Resource[]; problem?: Problem } {
    const problem = this.#problems.get(kind);
    return { resources: this.#resources.get(kind) ?? [], ...(problem && { problem }) };
  }
}
