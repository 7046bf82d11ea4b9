import { isIP } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import type { GuardedOutboundDeps } from './guarded-outbound.ts';
import { failure, joined } from './http-reply.ts';
import { OutboundError } from './outbound.ts';
import { targetOf } from './redirect.ts';
import { resolveByDns, routeTo } from './route.ts';

/** A request of which the whole reply is needed, one of many to the same host. */
export interface BulkRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Total milliseconds; default 60 seconds. */
  readonly timeout?: number;
  /** Maximum size of the reply, which fails beyond it; default 32 MB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

export interface BulkReply {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A smaller page may fit. */
export class ReplyTooLargeError extends OutboundError {}

/** How a server with an authority of its own is trusted, and how the client identifies itself; all PEM. */
export interface ClientTls {
  /** Replaces the authorities that are trusted by default. */
  readonly authority?: string;
  readonly certificate?: string;
  readonly key?: string;
  /** The name in the server's certificate, if it is not the host of the address. */
  readonly serverName?: string;
  readonly acceptsAnyCertificate?: boolean;
}

const defaultTimeout = 60_000;
const connectTimeout = 5_000;
const defaultMaxBytes = 32 * 1024 * 1024;
/** Connections to one host. */
const connections = 16;

/**
 * The outbound client of collectors. It checks addresses as the guarded client does, whenever it connects, but keeps
 * connections, returns redirects as they are, and fails on a reply that is too large instead of truncating it.
 */
export class BulkOutbound {
  readonly #deps: GuardedOutboundDeps;
  readonly #tls: ClientTls;
  readonly #derived: BulkOutbound[] = [];
  #agent: Promise<Agent> | undefined;

  constructor(deps: GuardedOutboundDeps, tls: ClientTls = {}) {
    this.#deps = deps;
    this.#tls = tls;
  }

  /** A client with the same guard for servers that need these settings. It is closed with this one. */
  withTls(tls: ClientTls): BulkOutbound {
    const derived = new BulkOutbound(this.#deps, tls);
    this.#derived.push(derived);
    return derived;
  }

  /** Resolves with any HTTP status; throws an `OutboundError` if there is no complete reply. */
  async fetch(request: BulkRequest): Promise<BulkReply> {
    const url = targetOf(request.url);
    const { timeout = defaultTimeout, maxBytes = defaultMaxBytes } = request;
    const deadline = AbortSignal.timeout(timeout);
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
    try {
      this.#agent ??= this.#open();
      const agent = await this.#agent;
      const { statusCode, headers, body } = await agent.request({
        origin: url.origin,
        method: request.method,
        path: url.pathname + url.search,
        headers: { 'user-agent': 'Vedette', ...request.headers },
        body: request.body ?? null,
        signal,
      });
      return { status: statusCode, headers: joined(headers), body: await whole(body, maxBytes, url.host) };
    } catch (error) {
      request.signal?.throwIfAborted();
      if (deadline.aborted)
        throw new OutboundError(`${url.host} did not respond within ${timeout / 1_000} seconds.`);
      throw error instanceof OutboundError ? error : failure(url.host, error);
    }
  }

  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
    for (const derived of this.#derived) await derived.close();
  }

  async #open(): Promise<Agent> {
    const undici = await import('undici');
    const {
      authority = this.#deps.elsewhere?.authority,
      certificate,
      key,
      acceptsAnyCertificate,
    } = this.#tls;
    const connect = undici.buildConnector({
      timeout: connectTimeout,
      rejectUnauthorized: !acceptsAnyCertificate,
      ...(authority && { ca: authority }),
      ...(certificate && key && { cert: certificate, key }),
    });
    return new undici.Agent({
      connect: this.#connector(connect),
      connections,
      pipelining: 1,
      // Each request has a timeout already.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  #connector(connect: buildConnector.connector): buildConnector.connector {
    const { allowsPrivate, resolve = resolveByDns, elsewhere } = this.#deps;
    return (options, callback) => {
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      routeTo(options.hostname, { allowsPrivate, resolve })
        .then(([address = '']) => {
          const target = elsewhere?.find(address, port) ?? { address, port };
          const connection = { ...options, hostname: target.address, port: String(target.port) };
          const name = this.#tls.serverName ?? options.servername ?? options.hostname;
          connect({ ...connection, ...serverName(name) }, callback);
        })
        // Also what `connect` throws, if a certificate or key is invalid.
        .catch((error: Error) => callback(error, null));
    };
  }
}

/** TLS has no names that are addresses: the certificate is then compared with the address of the connection. */
function serverName(name: string): { servername?: string } {
  return isIP(name.replace(/^\[|\]$/g, '')) ? {} : { servername: name };
}

async function whole(body: AsyncIterable<Buffer>, maxBytes: number, host: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes)
      throw new ReplyTooLargeError(`The reply of ${host} is larger than ${maxBytes} bytes.`, {
        isFinal: true,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
