import type { buildConnector } from 'undici';
import { bounded } from './bounded-body.ts';
import { failure, joined } from './http-reply.ts';
import { type Outbound, OutboundError, type OutboundReply, type OutboundRequest } from './outbound.ts';
import { Redaction, redactedReply } from './redaction.ts';
import { nextHop, targetOf } from './redirect.ts';
import { type Resolve, type RouteRules, resolveByDns, routeTo } from './route.ts';
import { credentialsIn } from './sent-credentials.ts';

export interface GuardedOutboundDeps {
  readonly allowsPrivate: boolean;
  readonly resolve?: Resolve;
  /** For tests only: maps a checked address to the actual one, and adds a trusted certificate authority. */
  readonly elsewhere?: {
    readonly authority?: string;
    find(address: string, port: number): { readonly address: string; readonly port: number };
  };
}

const defaultTimeout = 30_000;
const connectTimeout = 5_000;
const maxRedirects = 3;
const maxAddresses = 4;

/** Opens a connection per request: requests are rare, and a kept connection may be stale by the next one. */
export class GuardedOutbound implements Outbound {
  readonly #deps: GuardedOutboundDeps;
  readonly #rules: RouteRules;

  constructor(deps: GuardedOutboundDeps) {
    this.#deps = deps;
    this.#rules = { allowsPrivate: deps.allowsPrivate, resolve: deps.resolve ?? resolveByDns };
  }

  async request(request: OutboundRequest): Promise<OutboundReply> {
    const milliseconds = request.timeout ?? defaultTimeout;
    const { host } = targetOf(request.url);
    const timeoutError = new OutboundError(`${host} did not respond within ${milliseconds / 1_000} seconds.`);
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(timeoutError), milliseconds);
    try {
      return await this.#follow(request, controller.signal);
    } catch (error) {
      throw controller.signal.aborted ? timeoutError : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #follow(first: OutboundRequest, signal: AbortSignal): Promise<OutboundReply> {
    let request = first;
    for (let redirects = 0; ; redirects++) {
      const reply = await this.#hop(request, signal);
      const next = request.isForHostOnly ? undefined : nextHop(request, reply);
      // Many receivers echo the request, and replies are shown and stored.
      if (!next) return redactedReply(reply, new Redaction(credentialsIn(first.headers ?? {})));
      if (redirects === maxRedirects)
        throw new OutboundError(`${targetOf(first.url).host} redirects more than ${maxRedirects} times.`, {
          isFinal: true,
        });
      request = next;
    }
  }

  async #hop(request: OutboundRequest, signal: AbortSignal): Promise<OutboundReply> {
    const url = targetOf(request.url);
    const addresses = await abortable(routeTo(url.hostname, this.#rules), signal);
    // Loaded lazily to keep the start fast.
    const undici = await import('undici');
    const connect = undici.buildConnector({
      timeout: connectTimeout,
      rejectUnauthorized: !request.acceptsAnyCertificate,
      ...(this.#deps.elsewhere?.authority && { ca: this.#deps.elsewhere.authority }),
    });
    const client = new undici.Client(url.origin, {
      connect: this.#connector(addresses.slice(0, maxAddresses), connect),
      pipelining: 0,
      // The request as a whole has a timeout already.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const { statusCode, headers, body } = await client.request({
        method: request.method,
        path: url.pathname + url.search,
        headers: { 'user-agent': 'Vedette', ...request.headers },
        body: request.body ?? null,
        signal,
      });
      return { status: statusCode, headers: joined(headers), text: await bounded(body) };
    } catch (error) {
      throw error instanceof OutboundError ? error : failure(url.host, error);
    } finally {
      void client.destroy().catch(() => {});
    }
  }

  /** Tries only these addresses, in order. */
  #connector(addresses: readonly string[], connect: buildConnector.connector): buildConnector.connector {
    const { elsewhere } = this.#deps;
    return (options, callback) => {
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      const attempt = ([address = '', ...others]: readonly string[]) => {
        const target = elsewhere?.find(address, port) ?? { address, port };
        connect({ ...options, hostname: target.address, port: String(target.port) }, (error, socket) => {
          if (error && others.length > 0) attempt(others);
          else if (error) callback(error, null);
          else callback(null, socket);
        });
      };
      attempt(addresses);
    };
  }
}

function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
