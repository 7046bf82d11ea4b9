import type { BulkOutbound, BulkReply } from '../../outbound/bulk-outbound.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ApiRate, CallBudget } from '../inventory/budget.ts';
import { CollectError } from '../inventory/problem.ts';
import type { AzureTokens } from './access-token.ts';
import { AzureError } from './azure-problem.ts';
import type { AzureApiName, AzureEndpoints } from './endpoints.ts';
import { quotaPause, retryPause } from './throttling.ts';

export interface AzureApiDeps {
  readonly outbound: BulkOutbound;
  readonly budget: CallBudget;
  readonly clock: Clock;
  readonly tokens: AzureTokens;
  readonly endpoints: AzureEndpoints;
  /** Milliseconds for one attempt. */
  readonly timeout?: number;
}

export interface AzureCall {
  readonly api: AzureApiName;
  /** A path, or the address of a next page at the same host. */
  readonly path: string;
  /** Sent as POST. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the provider counts calls by, and its documented rate. */
  readonly budget: string;
  readonly rate?: ApiRate | undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Documented for the reads of a subscription or tenant: 25 a second in the long run. */
export const managementRate: ApiRate = { perSecond: 25 };

const maxAttempts = 6;
const defaultTimeout = 60_000;
const maxBytes = 32 * 1024 * 1024;
/** A provider that never ends its pages must not keep a collection busy. */
const maxPages = 2_000;

/** Calls the APIs of one Azure cloud with one credential: every attempt takes from the budget. */
export class AzureApi {
  readonly #deps: AzureApiDeps;

  constructor(deps: AzureApiDeps) {
    this.#deps = deps;
  }

  /** The reply of a call that succeeded; throws an `AzureError` for one that did not. */
  async call(call: AzureCall, signal: AbortSignal): Promise<JsonObject> {
    const { budget, clock } = this.#deps;
    let hasRenewedToken = false;
    for (let attempt = 1; ; attempt++) {
      await budget.take(call.budget, call.rate, signal);
      const reply = await this.#attempt(call, attempt, signal);
      if (!reply) continue;
      budget.pause(call.budget, quotaPause(reply.headers));
      if (reply.status >= 200 && reply.status < 300) return objectIn(reply, call);
      if (reply.status === 401 && !hasRenewedToken) {
        hasRenewedToken = true;
        this.#deps.tokens.forget(this.#deps.endpoints[call.api]);
        continue;
      }
      const pause = retryPause(reply, attempt, clock.now());
      if (pause === undefined || attempt >= maxAttempts) throw errorIn(reply);
      budget.pause(call.budget, pause);
    }
  }

  /** The pages of an array, by the address of the next page in each one. */
  async *pages(call: AzureCall, linkName: string, signal: AbortSignal): AsyncGenerator<readonly unknown[]> {
    const seen = new Set<string>();
    for (let next: string | undefined = call.path; next !== undefined; ) {
      if (seen.has(next) || seen.size >= maxPages)
        throw failed(`${shortPath(call.path)} returned more than ${seen.size} pages, or the same one again.`);
      seen.add(next);
      const page = await this.call({ ...call, path: next }, signal);
      if (!Array.isArray(page.value)) throw failed(`${shortPath(call.path)} returned no array.`);
      yield page.value;
      const link = page[linkName];
      next = typeof link === 'string' && link !== '' ? link : undefined;
    }
  }

  /** Undefined if there was no reply and the call may be repeated. */
  async #attempt(call: AzureCall, attempt: number, signal: AbortSignal): Promise<BulkReply | undefined> {
    const { outbound, tokens, endpoints, budget, timeout = defaultTimeout } = this.#deps;
    const token = await tokens.get(endpoints[call.api], signal);
    try {
      return await outbound.fetch({
        method: call.body ? 'POST' : 'GET',
        url: this.#url(call),
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(call.body && { 'content-type': 'application/json' }),
          ...call.headers,
        },
        ...(call.body && { body: JSON.stringify(call.body) }),
        ...{ timeout, maxBytes, signal },
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OutboundError) || error.isFinal || attempt >= maxAttempts) throw error;
      budget.pause(call.budget, 1_000 * 2 ** (attempt - 1));
      return undefined;
    }
  }

  /** A next page at another host would get the token. */
  #url({ api, path }: AzureCall): string {
    const base = this.#deps.endpoints[api];
    const url = URL.canParse(path, base) ? new URL(path, base) : undefined;
    if (!url || url.origin !== new URL(base).origin)
      throw failed(`The next page is at ${url?.origin ?? 'an invalid address'}, not at ${base}.`);
    return url.href;
  }
}

function failed(reason: string): CollectError {
  return new CollectError({ status: 'failed', reason });
}

export function shortPath(path: string): string {
  return path
    .replace(/^https:\/\/[^/]+/, '')
    .replace(/\?.*$/, '')
    .slice(0, 300);
}

function objectIn({ body }: BulkReply, { path }: AzureCall): JsonObject {
  const value = parsed(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw failed(`${shortPath(path)} returned no JSON object.`);
  return value as JsonObject;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

interface ErrorBody {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
}

function errorIn({ status, body }: BulkReply): AzureError {
  const { error = parsed(body) } = Object(parsed(body)) as { error?: unknown };
  const { code, message, details } = Object(error) as ErrorBody;
  const inner = (Array.isArray(details) ? details : []).slice(0, 10).map((one) => Object(one) as ErrorBody);
  const strings = (values: unknown[]) => values.filter((value) => typeof value === 'string') as string[];
  const codes = strings([code, ...inner.map((one) => one.code)]).map((one) => one.slice(0, 200));
  const messages = strings([...inner.map((one) => one.message), message]);
  return new AzureError(status, codes, (messages[0] ?? 'no reason given').slice(0, 500));
}
