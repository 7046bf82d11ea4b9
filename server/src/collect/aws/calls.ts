import type { AwsAccount, AwsCaller, AwsService, ClientPackage } from './service.ts';
import type { AwsSession } from './session.ts';

interface SdkClient {
  send(command: unknown, options: { abortSignal: AbortSignal }): Promise<object>;
}
type SdkClass = new (input: object) => unknown;
type Paginate = (
  configuration: { client: SdkClient; stopOnSameToken: boolean },
  input: object,
) => AsyncIterable<object>;

/** A provider that never ends its pages must not keep a collection busy. */
const maxPages = 10_000;

/** Makes the calls of one service in one region of one account. */
export class AwsCalls implements AwsCaller {
  readonly session: AwsSession;
  readonly service: AwsService;
  readonly region: string;
  readonly signal: AbortSignal;
  readonly #sdk: ClientPackage;

  constructor(
    session: AwsSession,
    service: AwsService,
    { region, sdk, signal }: { region: string; sdk: ClientPackage; signal: AbortSignal },
  ) {
    this.session = session;
    this.service = service;
    this.region = region;
    this.signal = signal;
    this.#sdk = sdk;
  }

  get account(): AwsAccount {
    return this.session.account;
  }

  /** The same service in another region. */
  in(region: string): AwsCalls {
    if (region === this.region) return this;
    return new AwsCalls(this.session, this.service, { region, sdk: this.#sdk, signal: this.signal });
  }

  /** One call, without its metadata. */
  async call(name: string, input: object = {}): Promise<Record<string, unknown>> {
    const output = await this.#client().send(this.#command(name, input), { abortSignal: this.signal });
    return withoutMetadata(output);
  }

  /** The pages of a call; one page if it has none. */
  async *pages(name: string, input: object = {}): AsyncGenerator<Record<string, unknown>> {
    const paginate = this.#sdk[`paginate${name}`] as Paginate | undefined;
    if (!paginate) return yield await this.call(name, input);
    let pages = 0;
    for await (const page of paginate({ client: this.#client(), stopOnSameToken: true }, input)) {
      this.signal.throwIfAborted();
      if (++pages > maxPages) throw new Error(`${name} returned more than ${maxPages} pages.`);
      yield withoutMetadata(page);
    }
  }

  #client(): SdkClient {
    return this.session.clientOf(this.service, this.region, this.#sdk) as SdkClient;
  }

  #command(name: string, input: object): unknown {
    const Command = this.#sdk[`${name}Command`] as SdkClass | undefined;
    if (!Command) throw new Error(`${this.service.name} has no call ${name}.`);
    return new Command(input);
  }
}

function withoutMetadata(output: object): Record<string, unknown> {
  const { $metadata, ...rest } = output as Record<string, unknown>;
  return rest;
}
