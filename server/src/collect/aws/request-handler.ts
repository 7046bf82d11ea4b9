import { Readable } from 'node:stream';
import type { BulkOutbound } from '../../outbound/bulk-outbound.ts';
import { OutboundError } from '../../outbound/outbound.ts';

/** The request of the SDK, as far as a handler needs it. */
export interface SdkRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface SdkResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Readable;
}

/** Called before each attempt, retries included, with the region that it goes to. */
export type BeforeCall = (signal: AbortSignal) => Promise<void>;

export interface RequestHandlerDeps {
  readonly outbound: BulkOutbound;
  readonly before: BeforeCall;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  /** The URL that replaces all endpoints of AWS. */
  readonly endpoint?: string | undefined;
}

/** Sends the requests of the AWS SDK through the guarded client, each within the budget. */
export class OutboundRequestHandler {
  readonly #outbound: BulkOutbound;
  readonly #before: BeforeCall;
  readonly #timeout: number;
  readonly #endpointHost: string | undefined;

  constructor({ outbound, before, timeout, endpoint }: RequestHandlerDeps) {
    this.#outbound = outbound;
    this.#before = before;
    this.#timeout = timeout;
    this.#endpointHost = endpoint === undefined ? undefined : new URL(endpoint).hostname;
  }

  async handle(
    request: SdkRequest,
    { abortSignal }: { abortSignal?: AbortSignal } = {},
  ): Promise<{ response: SdkResponse }> {
    const signal = abortSignal ?? new AbortController().signal;
    await this.#before(signal);
    const reply = await this.#outbound
      .fetch({
        method: request.method,
        url: urlOf({ ...request, hostname: this.#hostOf(request) }),
        headers: sentHeaders(request.headers),
        ...(isBody(request.body) && { body: request.body }),
        timeout: this.#timeout,
        signal,
      })
      .catch((error: unknown) => {
        throw isTransient(error) ? Object.assign(error, { $retryable: {} }) : error;
      });
    return {
      response: {
        statusCode: reply.status,
        headers: { ...reply.headers },
        body: Readable.from([reply.body]),
      },
    };
  }

  /** An emulator has one name: the SDK puts accounts before the names of some services. */
  #hostOf({ hostname }: SdkRequest): string {
    const host = this.#endpointHost;
    return host !== undefined && hostname.endsWith(`.${host}`) ? host : hostname;
  }

  /** The SDK changes settings of its own handler with these. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }

  destroy(): void {}
}

/** The SDK repeats what has this mark. A host without an address gets none by asking again. */
function isTransient(error: unknown): error is OutboundError {
  return error instanceof OutboundError && !error.isFinal && !isUnknownHost(error);
}

/** How a service that is not offered in a region looks. */
export function isUnknownHost(error: unknown): boolean {
  return error instanceof OutboundError && error.message.includes('address: check the name');
}

function isBody(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null
      ? [encoded(name)]
      : [value].flat().map((one) => `${encoded(name)}=${encoded(one as string)}`),
  );
  const search = pairs.length > 0 ? `?${pairs.join('&')}` : '';
  return `${protocol}//${hostname}${port ? `:${port}` : ''}${path}${search}`;
}

/** The signature covers this encoding. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The client computes these two itself. */
function sentHeaders(headers: SdkRequest['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !/^(host|content-length|expect)$/i.test(name));
  return Object.fromEntries(kept);
}
