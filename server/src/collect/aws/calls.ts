import { createHash } from 'node:crypto';
import { isRegion } from '../../outbound/aws/arn.ts';
import type { AwsAccount, AwsCaller, AwsPaging, AwsService, ClientPackage } from './service.ts';
import type { AwsSession } from './session.ts';

interface SdkClient {
  send(command: unknown, options: { abortSignal: AbortSignal }): Promise<object>;
}
type SdkClass = new (input: object) => unknown;
interface SdkPageClient {
  send(command: unknown): Promise<object>;
}
type Paginate = (configuration: { client: SdkPageClient }, input: object) => AsyncIterable<object>;

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
    if (!isRegion(region)) throw new Error(`${this.service.name} returned a region that is none.`);
    return new AwsCalls(this.session, this.service, { region, sdk: this.#sdk, signal: this.signal });
  }

  /** One call, without its metadata. */
  async call(name: string, input: object = {}): Promise<Record<string, unknown>> {
    const output = await this.#client().send(this.#command(name, input), { abortSignal: this.signal });
    return withoutMetadata(output);
  }

  /** The pages of a call; one page if it has none. Fails if they do not end. */
  async *pages(
    name: string,
    input: object = {},
    paging?: AwsPaging,
  ): AsyncGenerator<Record<string, unknown>> {
    const { maxPages } = this.session;
    let pages = 0;
    for await (const page of this.#pages(name, input, paging)) {
      this.signal.throwIfAborted();
      if (++pages > maxPages) throw new Error(`${name} returned more than ${maxPages} pages.`);
      yield withoutMetadata(page);
    }
  }

  #pages(name: string, input: object, paging: AwsPaging | undefined): AsyncIterable<object> {
    if (paging) return this.#pagesBy(paging, name, input);
    const paginate = this.#sdk[`paginate${name}`] as Paginate | undefined;
    if (!paginate) return onePage(this.call(name, input));
    return paginate({ client: this.#clientOfPages(name) }, input);
  }

  async *#pagesBy(
    { output, input: token = output }: AwsPaging,
    name: string,
    input: object,
  ): AsyncGenerator<object> {
    const client = this.#clientOfPages(name);
    let next: unknown;
    do {
      const page = await client.send(this.#command(name, { ...input, ...(next ? { [token]: next } : {}) }));
      yield page;
      next = (page as Record<string, unknown>)[output];
    } while (next);
  }

  /** The same client, which fails when a page is requested again: the provider repeats its page tokens. */
  #clientOfPages(name: string): SdkPageClient {
    const client = this.#client();
    const requested = new Set<string>();
    const send = async (command: { readonly input: object }): Promise<object> => {
      const page = createHash('sha1').update(JSON.stringify(command.input)).digest('base64');
      if (requested.has(page)) throw new Error(`${name} returned the same page token twice.`);
      requested.add(page);
      return client.send(command, { abortSignal: this.signal });
    };
    // The paginators of the SDK insist on an instance of its class.
    return Object.create(client, { send: { value: send } }) as SdkPageClient;
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

async function* onePage(page: Promise<object>): AsyncGenerator<object> {
  yield await page;
}
