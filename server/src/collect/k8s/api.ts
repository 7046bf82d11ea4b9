import type { BulkOutbound, BulkReply } from '../../outbound/bulk-outbound.ts';
import { OutboundError } from '../../outbound/outbound.ts';
import type { Clock } from '../../platform/clock.ts';
import { deepestJson, exceededLimit } from '../../platform/json-structure.ts';
import type { CallBudget } from '../inventory/budget.ts';
import { CollectError } from '../inventory/problem.ts';
import type { K8sConnection, K8sCredentials } from './connection.ts';
import { K8sStatusError } from './k8s-problem.ts';
import { isObject } from './object.ts';

export interface K8sApiDeps {
  readonly outbound: BulkOutbound;
  readonly budget: CallBudget;
  readonly clock: Clock;
}

export interface K8sRequest {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** Requests in all, for those whose failures mean little. */
  readonly attempts?: number;
  readonly signal: AbortSignal;
}

const defaultAttempts = 6;
const timeout = 60_000;
const firstPause = 1_000;
const longestPause = 60_000;
/** Of a page of 500 objects. */
const jsonLimits = { depth: deepestJson, values: 5_000_000 };

/** Makes the requests to one cluster: within the budget, authenticated, and again if it is overloaded. */
export class K8sApi {
  readonly #connection: K8sConnection;
  readonly #deps: K8sApiDeps;
  /** What the budget counts. */
  readonly #name: string;
  #client: { readonly certificate: string | undefined; readonly outbound: BulkOutbound } | undefined;

  constructor(connection: K8sConnection, deps: K8sApiDeps) {
    this.#connection = connection;
    this.#deps = deps;
    this.#name = `kubernetes ${new URL(connection.server).host}`;
  }

  /** A JSON object. Other statuses than 200 are thrown. */
  async get(request: K8sRequest): Promise<Record<string, unknown>> {
    const { path, attempts = defaultAttempts } = request;
    const { source } = this.#connection;
    let rejected: K8sCredentials | undefined;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts;
      const credentials: K8sCredentials = await source.credentials(rejected);
      const reply = await this.#attempt(request, credentials).catch((error: unknown) => {
        if (isLast || !(error instanceof OutboundError) || error.isFinal) throw error;
        return undefined;
      });
      if (reply?.status === 200) return parsed(path, reply.body);
      const isRefused = reply?.status === 401 && source.isRenewable && !rejected;
      const isOverloaded = !reply || reply.status === 429 || reply.status >= 500;
      if (reply && (isLast || !(isRefused || isOverloaded)))
        throw new K8sStatusError(`GET ${path}`, reply.status, reply.body);
      rejected = isRefused ? credentials : undefined;
      if (isOverloaded) this.#deps.budget.pause(this.#name, this.#pauseAfter(reply, attempt));
    }
  }

  async #attempt(
    { path, query, accept, signal }: K8sRequest,
    credentials: K8sCredentials,
  ): Promise<BulkReply> {
    const { server } = this.#connection;
    await this.#deps.budget.take(this.#name, undefined, signal);
    const search = query ? `?${new URLSearchParams(query)}` : '';
    return this.#outboundFor(credentials).fetch({
      method: 'GET',
      url: `${server}${path}${search}`,
      headers: {
        accept: accept ?? 'application/json',
        // Nothing secret over a connection that anyone can read.
        ...(server.startsWith('https:') && credentials.headers),
      },
      timeout,
      signal,
    });
  }

  #outboundFor({ tls = {} }: K8sCredentials): BulkOutbound {
    const { certificate } = tls;
    if (this.#client && this.#client.certificate === certificate) return this.#client.outbound;
    const outbound = this.#deps.outbound.withTls({ ...this.#connection.tls, ...tls });
    this.#client = { certificate, outbound };
    return outbound;
  }

  #pauseAfter(reply: BulkReply | undefined, attempt: number): number {
    const asked = reply?.headers['retry-after'];
    const seconds = asked === undefined ? Number.NaN : Number(asked);
    const milliseconds = Number.isNaN(seconds)
      ? Date.parse(asked ?? '') - this.#deps.clock.now()
      : seconds * 1_000;
    const pause = milliseconds >= 0 ? milliseconds : firstPause * 2 ** (attempt - 1);
    return Math.min(pause, longestPause);
  }
}

function parsed(path: string, body: Buffer): Record<string, unknown> {
  const failed = (problem: string) =>
    new CollectError({ status: 'failed', reason: `GET ${path}: the reply ${problem}.` });
  const text = body.toString();
  const limit = exceededLimit(text, jsonLimits);
  if (limit === 'depth') throw failed(`is nested more than ${jsonLimits.depth} levels deep`);
  if (limit) throw failed(`has more than ${jsonLimits.values} values`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failed('is not JSON');
  }
  if (!isObject(value)) throw failed('is not an object');
  return value;
}
