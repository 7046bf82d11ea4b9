import { CollectError } from '../inventory/problem.ts';
import { inApiForm, outputSchema, schemaAt } from './api-form.ts';
import type { ConfigItem } from './config-item.ts';
import { type ConfigType, configTypes } from './config-types.ts';
import type { RegionalCaller } from './regional-caller.ts';
import { type AwsAccount, type AwsService, allReads, type ClientPackage, isCustom } from './service.ts';

/** A call of which a file has no output. */
export class NotRecorded extends CollectError {
  constructor(call: string) {
    super({ status: 'failed', reason: `The file does not have what ${call} returns.` });
  }
}

export interface RecordedCallsDeps {
  readonly account: AwsAccount;
  readonly service: AwsService;
  readonly region: string;
  readonly sdk: ClientPackage;
  /** Resources of the service, of types that can be imported. */
  readonly items: readonly ConfigItem[];
}

/** Answers the calls of a service from a snapshot of AWS Config, so that it is read like the service itself. */
export class RecordedCalls implements RegionalCaller {
  readonly account: AwsAccount;
  readonly service: AwsService;
  readonly region: string;
  readonly signal: AbortSignal = new AbortController().signal;
  readonly #sdk: ClientPackage;
  readonly #items: readonly ConfigItem[];
  /** The item whose page is being read: further calls are about it. */
  #current: ConfigItem | undefined;

  constructor({ account, service, region, sdk, items }: RecordedCallsDeps) {
    this.account = account;
    this.service = service;
    this.region = region;
    this.#sdk = sdk;
    this.#items = items;
  }

  in(): RecordedCalls {
    return this;
  }

  async call(name: string): Promise<Record<string, unknown>> {
    const output = this.#current && typeOf(this.#current).details?.[name];
    if (!output || !this.#current) throw new NotRecorded(name);
    const answer = inApiForm(outputSchema(this.#sdk, name), output(this.#current));
    if (answer === undefined) throw none(name);
    return answer as Record<string, unknown>;
  }

  /** A page for each resource. */
  async *pages(name: string): AsyncGenerator<Record<string, unknown>> {
    const items = this.#items.filter((item) => typeOf(item).call === name);
    if (items.length === 0) return yield await this.call(name);
    for (const item of items) {
      this.#current = item;
      yield this.#page(name, item);
    }
  }

  #page(name: string, recorded: ConfigItem): Record<string, unknown> {
    const { item = ({ configuration }) => configuration, items } = typeOf(recorded);
    const path = items ?? this.#itemsOf(name);
    const schema = outputSchema(this.#sdk, name);
    const value = inApiForm(path === undefined ? schema : schemaAt(schema, path), item(recorded));
    if (path === undefined) return value as Record<string, unknown>;
    const nested = path.split('.').reduceRight<unknown>((inner, member) => ({ [member]: inner }), [value]);
    return nested as Record<string, unknown>;
  }

  /** From the declaration of the read. */
  #itemsOf(call: string): string | undefined {
    const reads = this.service.reads.flatMap((read) => (isCustom(read) ? [] : [...allReads(read)]));
    return reads.find((read) => read.call === call)?.items;
  }
}

function typeOf({ type }: ConfigItem): ConfigType {
  return configTypes[type] as ConfigType;
}

/** As a service reports that there is no such setting. */
function none(call: string): Error {
  return Object.assign(new Error(`${call} has nothing of this resource.`), { name: 'NoSuchSetting' });
}
