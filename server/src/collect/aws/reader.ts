import { memberAt } from '../inventory/member.ts';
import { CollectError, type Problem } from '../inventory/problem.ts';
import type { ReadingOutput } from '../inventory/reading.ts';
import { type Meaning, meaningOf } from './aws-problem.ts';
import { awsResource, globalRegion } from './aws-resource.ts';
import { tagMap } from './aws-tags.ts';
import { mergedPages } from './merged-pages.ts';
import { permissionsOf } from './permissions.ts';
import type { RegionalCaller } from './regional-caller.ts';
import { type AwsRead, type AwsRegions, kindsOf } from './service.ts';
import { storedConfig } from './stored-config.ts';
import { filled, filledInput, type TemplateContext } from './template.ts';

type Tags = Readonly<Record<string, string>>;

/** Where a read is made: below a resource, or at the top. */
interface Context extends TemplateContext {
  readonly isGlobal: boolean;
  readonly id?: string;
  readonly arn?: string;
  readonly type?: string;
  readonly tags?: Tags | undefined;
  readonly parentArn?: string | undefined;
}

/** An item with its identity. */
interface Item extends Context {
  readonly id: string;
  readonly arn: string;
  readonly key: string;
  readonly type: string;
}

/** Reads what a declaration describes, resource by resource. */
export class AwsReader {
  readonly #calls: RegionalCaller;
  readonly #output: ReadingOutput;

  constructor(calls: RegionalCaller, output: ReadingOutput) {
    this.#calls = calls;
    this.#output = output;
  }

  /** Resources without a parent. */
  async readAll(read: AwsRead, regions: AwsRegions): Promise<void> {
    const { account: owner, region } = this.#calls;
    const { id: account, partition } = owner;
    await this.#read(read, this.#calls, {
      item: {},
      account,
      region,
      partition,
      isGlobal: regions === 'once',
    });
  }

  async #read(read: AwsRead, calls: RegionalCaller, context: Context): Promise<void> {
    for (const template of read.inputs ?? [read.input ?? {}]) {
      const input = filledInput(template, context);
      await this.#readOnce(read, calls, { ...context, input });
    }
  }

  async #readOnce(read: AwsRead, calls: RegionalCaller, context: Context): Promise<void> {
    try {
      const pages = calls.pages(read.call, { ...context.input }, read.paging);
      if (read.items === undefined) return await this.#take(read, calls, await mergedPages(pages), context);
      for await (const page of pages)
        for (const item of itemsIn(page, read.items)) await this.#take(read, calls, item, context);
    } catch (error) {
      calls.signal.throwIfAborted();
      await this.#explain(read, this.#meaningOf(error, read, context), context);
    }
  }

  async #take(read: AwsRead, calls: RegionalCaller, given: unknown, context: Context): Promise<void> {
    for (const [path, values] of Object.entries(read.where ?? {}))
      if (!values.some((value) => filled(value, context) === String(memberAt(given, path)))) return;
    const completed = await this.#completed(read, calls, given, context);
    if (!completed) return;
    const item = this.#identify(read, completed.item, context);
    if (!item)
      throw new CollectError({
        status: 'failed',
        reason: `${this.#what(read, context)} returned an item without ${[read.id, read.arn, read.key].filter(Boolean).join(', ')}.`,
      });
    const tagged = { ...item, tags: completed.tags ?? item.tags };
    if (read.kind) await this.#add(read, tagged, storedConfig(read, item.item));
    for (const below of read.each ?? []) await this.#read(below, calls.in(item.region), tagged);
  }

  /** The item with what further calls return; undefined if it could not be read. */
  async #completed(
    read: AwsRead,
    calls: RegionalCaller,
    given: unknown,
    context: Context,
  ): Promise<{ item: unknown; tags?: Tags | undefined } | undefined> {
    try {
      const item = read.extend ? await read.extend(given, calls) : given;
      if (!read.tagging) return { item };
      return { item, tags: await this.#tags(read, calls, this.#identify(read, item, context)) };
    } catch (error) {
      calls.signal.throwIfAborted();
      const found = this.#identify(read, given, context);
      const meaning = this.#meaningOf(error, read, found ?? context);
      // It was deleted since the array was read.
      if (meaning === 'none') return undefined;
      if (!found) throw new CollectError(meaning, error);
      await this.#keep(read, found, meaning);
      return undefined;
    }
  }

  /** Undefined if they may not be read: tags are no reason to do without the resource. */
  async #tags(read: AwsRead, calls: RegionalCaller, item: Item | undefined): Promise<Tags | undefined> {
    if (!read.tagging || !item) return undefined;
    const { call, input, tags } = read.tagging;
    try {
      const output = await calls.in(item.region).call(call, filledInput(input, item));
      return tagMap(memberAt(output, tags)) ?? {};
    } catch (error) {
      const meaning = this.#meaningOf(error, { ...read, call }, item);
      if (meaning === 'none') return {};
      if (meaning.status === 'denied') return undefined;
      throw new CollectError(meaning, error);
    }
  }

  /** The identity of an item: its own, or that of the resource it describes. */
  #identify(read: AwsRead, item: unknown, context: Context): Item | undefined {
    const { account, partition, input } = context;
    const itemRegion = read.itemRegion === undefined ? undefined : memberAt(item, read.itemRegion);
    const region = typeof itemRegion === 'string' ? itemRegion : context.region;
    const own = { item, account, partition, region, ...(input && { input }), parent: context };
    const id = read.id === undefined ? context.id : filled(read.id, own);
    const arn = read.arn === undefined ? (read.id === undefined ? context.arn : id) : filled(read.arn, own);
    const key = read.key === undefined ? arn : filled(read.key, own);
    if (id === undefined || arn === undefined || key === undefined) return undefined;
    const tags = memberAt(item, read.tags ?? 'Tags') ?? memberAt(item, 'tags');
    return {
      ...own,
      ...{ id, arn, key, type: read.type ?? context.type ?? '', tags: tagMap(tags) ?? context.tags },
      isGlobal: context.isGlobal && read.itemRegion === undefined,
      parentArn: arn === context.arn ? context.parentArn : context.arn,
    };
  }

  async #add(read: AwsRead, item: Item, config: string): Promise<void> {
    if (!read.kind) return;
    const { account, service } = this.#calls;
    const region = item.isGlobal ? globalRegion : item.region;
    const where = { region, service: service.prefix, call: read.fills ?? read.call };
    await this.#output.add(read.kind, awsResource(account, { ...item, ...where, config }));
  }

  /** What an error means for the kinds of a read. */
  async #explain(read: AwsRead, meaning: Meaning, context: Context): Promise<void> {
    const isOneResource = read.items === undefined;
    const item = isOneResource ? this.#identify(read, {}, context) : undefined;
    // An item that is not there is asked and empty; an array that is not there is an empty array.
    if (meaning === 'none') return void (item && (await this.#add(read, item, '{}')));
    const key = item?.key ?? (read.key && filled(read.key, { ...context, item: {}, parent: context }));
    const arn = item?.arn ?? context.arn;
    if (isOneResource && key && arn !== undefined && context.arn !== undefined)
      return this.#keep(read, { key, arn }, meaning);
    for (const kind of kindsOf(read)) this.#output.gap(kind, meaning);
  }

  /** What is stored of an unreadable resource stays: of kinds with further resources below it, all of it. */
  async #keep(read: AwsRead, { key, arn }: Pick<Item, 'key' | 'arn'>, problem: Problem): Promise<void> {
    if (read.kind) await this.#output.unread(read.kind, key, problem);
    for (const below of read.each ?? []) {
      const isSameResource = [below.items, below.id, below.arn, below.key].every((one) => one === undefined);
      if (isSameResource) await this.#keep(below, { key: arn, arn }, problem);
      else for (const kind of kindsOf(below)) this.#output.gap(kind, problem);
    }
  }

  #meaningOf(error: unknown, read: AwsRead, context: Context): Meaning {
    const permission = permissionsOf(this.#calls.service, read).join(', ');
    return meaningOf(error, read, this.#what(read, context), permission);
  }

  #what({ call }: AwsRead, { id, region }: Context): string {
    return id === undefined ? `${call} in ${region}` : `${call} of ${id} in ${region}`;
  }
}

function itemsIn(page: unknown, path: string): unknown[] {
  let values: unknown[] = [page];
  // An array on the way is flattened: `Reservations.Instances`.
  for (const name of path.split('.'))
    values = values.flatMap((value) => {
      const inner = memberAt(value, name) ?? [];
      if (typeof inner !== 'object') throw new Error(`${path} in the answer is not an array.`);
      return inner;
    });
  return values;
}
