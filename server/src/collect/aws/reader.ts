import type { Resource } from '../../telemetry/resource.ts';
import type { ReadingOutput } from '../inventory/reading.ts';
import { type Meaning, meaningOf } from './aws-problem.ts';
import { tagMap } from './aws-tags.ts';
import type { AwsCalls } from './calls.ts';
import { memberAt, withMember } from './member.ts';
import { permissionsOf } from './permissions.ts';
import { type AwsRead, kindsOf } from './service.ts';
import { filled, filledInput, type TemplateContext } from './template.ts';

/** RESOURCE_REGION of resources that have none, and the region of their scope. */
export const globalRegion = 'aws-global';

/** Resources below one another: an item with its identity. */
interface Found extends TemplateContext {
  readonly id: string;
  readonly arn: string;
  readonly type: string;
  readonly tags: Record<string, string> | undefined;
  /** The parent's ARN, unless this is the same resource. */
  readonly parentArn: string | undefined;
}

/** Reads what a declaration describes, resource by resource. */
export class AwsReader {
  readonly #calls: AwsCalls;
  readonly #output: ReadingOutput;

  constructor(calls: AwsCalls, output: ReadingOutput) {
    this.#calls = calls;
    this.#output = output;
  }

  /** Resources without a parent. */
  async readAll(read: AwsRead): Promise<void> {
    const { session, region } = this.#calls;
    const { id: account, partition } = session.account;
    await this.#read(read, this.#calls, { item: {}, account, region, partition });
  }

  async #read(read: AwsRead, calls: AwsCalls, context: TemplateContext & Partial<Found>): Promise<void> {
    const input = filledInput(read.input, context);
    try {
      for await (const page of calls.pages(read.call, input)) {
        const items = read.items === undefined ? [page] : itemsIn(page, read.items);
        for (const item of items) await this.#take(read, calls, item, context);
      }
    } catch (error) {
      calls.signal.throwIfAborted();
      await this.#explain(
        read,
        meaningOf(error, read, this.#what(read, context), this.#permission(read)),
        context,
      );
    }
  }

  async #take(
    read: AwsRead,
    calls: AwsCalls,
    given: unknown,
    context: TemplateContext & Partial<Found>,
  ): Promise<void> {
    for (const [path, values] of Object.entries(read.where ?? {}))
      if (!values.includes(String(memberAt(given, path)))) return;
    const item = await this.#extended(read, calls, given, context);
    if (item === undefined) return;
    const found = this.#identify(read, item, context);
    if (!found) return;
    if (read.kind) await this.#output.add(read.kind, this.#resource(read, found));
    for (const below of read.each ?? []) await this.#read(below, calls.in(found.region), found);
  }

  /** Undefined if the resource could not be read. */
  async #extended(
    read: AwsRead,
    calls: AwsCalls,
    item: unknown,
    context: TemplateContext & Partial<Found>,
  ): Promise<unknown> {
    if (!read.extend) return item;
    try {
      return await read.extend(item, calls);
    } catch (error) {
      calls.signal.throwIfAborted();
      const found = this.#identify(read, item, context);
      const meaning = meaningOf(error, read, this.#what(read, found ?? context), this.#permission(read));
      // It was deleted since the list was read.
      if (meaning === 'none' || !found) return undefined;
      for (const kind of kindsOf(read)) await this.#output.unread(kind, found.arn, meaning);
      return undefined;
    }
  }

  /** The identity of an item: its own, or that of the resource it describes. */
  #identify(read: AwsRead, item: unknown, context: TemplateContext & Partial<Found>): Found | undefined {
    const { account, partition } = context;
    const itemRegion = read.itemRegion === undefined ? undefined : memberAt(item, read.itemRegion);
    const region = typeof itemRegion === 'string' ? itemRegion : context.region;
    const own = { item, account, partition, region, parent: context };
    const id = read.id === undefined ? context.id : filled(read.id, own);
    const arn = read.arn === undefined ? (read.id === undefined ? context.arn : id) : filled(read.arn, own);
    if (id === undefined || arn === undefined) return undefined;
    const tags = memberAt(item, read.tags ?? 'Tags') ?? memberAt(item, 'tags');
    return {
      ...own,
      ...{ id, arn, type: read.type ?? context.type ?? '', tags: tagMap(tags) ?? context.tags },
      parentArn: arn === context.arn ? context.parentArn : context.arn,
    };
  }

  #resource(read: AwsRead, { item, id, arn, type, region, tags, parentArn }: Found): Resource {
    const { session, service } = this.#calls;
    const { id: account, alias, organization } = session.account;
    const isGlobal =
      service.regions === 'once' && read.itemRegion === undefined && region === this.#calls.region;
    return {
      key: arn,
      facts: {
        ...{ URN: arn, RESOURCE_ID: id, RESOURCE_TYPE: type, SERVICE: service.prefix },
        ...{ RESOURCE_REGION: isGlobal ? globalRegion : region, API_KEY: kebabCase(read.call) },
        ...{ ACCOUNT_ID: account, ACCOUNT_ALIAS: alias },
        ...(organization && { ORGANIZATION_ID: organization }),
        ...(parentArn && { PARENT_URN: parentArn }),
      },
      config: storedJson(configOf(read, item)),
      tags: tags && JSON.stringify(tags),
    };
  }

  /** What an error means for the kinds of a read. */
  async #explain(read: AwsRead, meaning: Meaning, context: TemplateContext & Partial<Found>): Promise<void> {
    const isOneResource = read.items === undefined;
    if (meaning === 'none') {
      // An item that is not there is asked and empty; an array that is not there is an empty array.
      if (isOneResource && read.kind) await this.#takeEmpty(read, context);
      return;
    }
    const identity = isOneResource ? this.#identify(read, {}, context) : undefined;
    for (const kind of kindsOf(read)) {
      // The resources of an array are unknown, so that nothing of the kind may be replaced.
      if (identity && context.arn !== undefined) await this.#output.unread(kind, identity.arn, meaning);
      else this.#output.gap(kind, meaning);
    }
  }

  async #takeEmpty(read: AwsRead, context: TemplateContext & Partial<Found>): Promise<void> {
    const found = this.#identify(read, {}, context);
    if (!found || !read.kind) return;
    await this.#output.add(read.kind, { ...this.#resource(read, found), config: '{}' });
  }

  #what({ call }: AwsRead, { id, region }: TemplateContext & Partial<Found>): string {
    return id === undefined ? `${call} in ${region}` : `${call} of ${id} in ${region}`;
  }

  #permission(read: AwsRead): string {
    return permissionsOf(this.#calls.service, read).join(', ');
  }
}

function itemsIn(page: unknown, path: string): unknown[] {
  let values: unknown[] = [page];
  // An array on the way is flattened: `Reservations.Instances`.
  for (const name of path.split('.')) values = values.flatMap((value) => memberAt(value, name) ?? []);
  return values;
}

function configOf({ config = '', json = [], redact = [] }: AwsRead, item: unknown): unknown {
  let stored: unknown = memberAt(item, config) ?? {};
  for (const path of json) stored = withMember(stored, path, parsed);
  for (const path of redact) stored = withMember(stored, path, () => redacted);
  // An array of names has no configurations.
  return typeof stored === 'object' ? stored : { Name: stored };
}

/** Takes the place of a secret value. */
export const redacted = '[redacted]';

/** A policy document is JSON in a string, which IAM also encodes as a URL. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  for (const decode of [(text: string) => text, decodeURIComponent]) {
    try {
      return JSON.parse(decode(value));
    } catch {}
  }
  return value;
}

/** Bytes are stored as Base64, as the command line of AWS prints them. */
export function storedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array ? Buffer.from(member).toString('base64') : member,
  );
}

/** `ListBuckets` is `list-buckets`, `DescribeDBInstances` is `describe-db-instances`. */
export function kebabCase(call: string): string {
  return call
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase();
}
