import type { buildConnector } from 'undici';
import { bounded } from './bounded-body.ts';
import { type Outbound, OutboundError, type OutboundReply, type OutboundRequest } from './outbound.ts';
import { Redaction, redactedReply } from './redaction.ts';
import { nextHop, targetOf } from './redirect.ts';
import { type Resolve, type RouteRules, resolveByDns, routeTo } from './route.ts';
import { credentialsIn } from './sent-credentials.ts';

export interface GuardedOutboundDeps {
  readonly allowsPrivate: boolean;
  readonly resolve?: Resolve;
  /** Where an address that was checked really is, and a certificate authority that is trusted: for tests only. */
  readonly elsewhere?: {
    readonly authority?: string;
    find(address: string, port: number): { readonly address: string; readonly port: number };
  };
}

const standardTimeout = 30_000;
const connectTimeout = 5_000;
const mostRedirects = 3;
const mostAddresses = 4;

/** A connection of its own for every request: messages are few, and a kept one may be dead when the next one comes. */
export class GuardedOutbound implements Outbound {
  readonly #deps: GuardedOutboundDeps;
  readonly #rules: RouteRules;

  constructor(deps: GuardedOutboundDeps) {
    this.#deps = deps;
    this.#rules = { allowsPrivate: deps.allowsPrivate, resolve: deps.resolve ?? resolveByDns };
  }

  async request(request: OutboundRequest): Promise<OutboundReply> {
    const milliseconds = request.timeout ?? standardTimeout;
    const { host } = targetOf(request.url);
    const late = new OutboundError(`${host} did not respond within ${milliseconds / 1_000} seconds.`);
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(late), milliseconds);
    try {
      return await this.#follow(request, ending.signal);
    } catch (error) {
      throw ending.signal.aborted ? late : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #follow(first: OutboundRequest, signal: AbortSignal): Promise<OutboundReply> {
    let request = first;
    for (let redirects = 0; ; redirects++) {
      const reply = await this.#hop(request, signal);
      const next = request.isForHostOnly ? undefined : nextHop(request, reply);
      // Many receivers repeat what they were sent, and what is said of a reply is shown and stored.
      if (!next) return redactedReply(reply, new Redaction(credentialsIn(first.headers ?? {})));
      if (redirects === mostRedirects)
        throw new OutboundError(`${targetOf(first.url).host} redirects more than ${mostRedirects} times.`, {
          isFinal: true,
        });
      request = next;
    }
  }

  async #hop(request: OutboundRequest, signal: AbortSignal): Promise<OutboundReply> {
    const url = targetOf(request.url);
    const addresses = await unlessAborted(routeTo(url.hostname, this.#rules), signal);
    // Loaded with the first request: starting the service costs nothing.
    const undici = await import('undici');
    const connect = undici.buildConnector({
      timeout: connectTimeout,
      rejectUnauthorized: !request.acceptsAnyCertificate,
      ...(this.#deps.elsewhere?.authority && { ca: this.#deps.elsewhere.authority }),
    });
    const client = new undici.Client(url.origin, {
      connect: this.#connector(addresses.slice(0, mostAddresses), connect),
      pipelining: 0,
      // The whole request has its time already.
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

  /** Tries the addresses one after the other, and no other one. */
  #connector(addresses: readonly string[], connect: buildConnector.connector): buildConnector.connector {
    const { elsewhere } = this.#deps;
    return (options, callback) => {
      const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
      const attempt = ([address = '', ...others]: readonly string[]) => {
        const place = elsewhere?.find(address, port) ?? { address, port };
        connect({ ...options, hostname: place.address, port: String(place.port) }, (error, socket) => {
          if (error && others.length > 0) attempt(others);
          else if (error) callback(error, null);
          else callback(null, socket);
        });
      };
      attempt(addresses);
    };
  }
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** What went wrong, by its code only: the message of an error may repeat what was sent. */
function failure(host: string, error: unknown): OutboundError {
  const { code } = error as { code?: string };
  return new OutboundError(`The request to ${host} failed (${code ?? 'unknown error'}).`, { cause: error });
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return Object.fromEntries(entries) as Record<string, string>;
}
