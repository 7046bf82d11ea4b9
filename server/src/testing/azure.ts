import { type AzureIntegration, azureTargets } from '../collect/azure/targets.ts';
import { CallBudget } from '../collect/inventory/budget.ts';
import type { CollectDeps } from '../collect/inventory/cloud.ts';
import { Collection } from '../collect/inventory/collection.ts';
import { MemorySink } from '../collect/inventory/memory-sink.sample.ts';
import type { ScopeResult } from '../collect/inventory/snapshot-writer.ts';
import type { BulkOutbound } from '../outbound/bulk-outbound.ts';
import { ManualClock } from './clock.ts';
import { bulkOutboundIn, publicAddress } from './outbound.ts';
import { type Reaction, type Received, Receiver } from './receiver.ts';

export const tenant = '11111111-0000-4000-8000-000000000001';
export const subscription = '22222222-0000-4000-8000-00000000000a';
export const integration: AzureIntegration = {
  tenantId: tenant,
  clientId: 'reader',
  clientSecret: 'client-secret-canary',
};

const hosts = ['login.microsoftonline.com', 'management.azure.com', 'graph.microsoft.com'];

export interface GraphRow {
  readonly id: string;
  readonly type: string;
  readonly [name: string]: unknown;
}

/** An id below the subscription, in resource group `Shop`. */
export function idOf(path: string): string {
  return `/subscriptions/${subscription}/resourceGroups/Shop/providers/${path}`;
}

export function row(type: string, name: string, properties: object = {}, other: object = {}): GraphRow {
  return {
    ...{ id: idOf(`${type}/${name}`), name, type: type.toLowerCase(), tenantId: tenant, kind: '' },
    ...{ location: 'westeurope', resourceGroup: 'shop', subscriptionId: subscription, managedBy: '' },
    ...{ sku: null, plan: null, properties, tags: { team: 'shop' }, identity: null, zones: null },
    ...other,
  };
}

/** A loopback server that speaks the paging, throttling and error forms of Azure. */
export class FakeAzure {
  readonly receiver: Receiver;
  readonly clock = new ManualClock();
  /** Milliseconds of every wait for the budget. */
  readonly waits: number[] = [];
  /** Rows of Resource Graph by table. */
  tables: Record<string, GraphRow[]> = {};
  pageSize = 1_000;
  /** Headers of the replies of Resource Graph. */
  queryHeaders: Record<string, string> = {};
  /** Replies to GET by the path in lower case: an array is the value of an array, in pages of two. */
  replies: Record<string, object | readonly unknown[] | Reaction> = {};
  actions: readonly string[] = ['*/read'];
  /** Reacts before anything else does. */
  intercept: (received: Received) => Reaction | undefined = () => undefined;

  private constructor(receiver: Receiver) {
    this.receiver = receiver;
    receiver.react = (received) => this.intercept(received) ?? this.#react(received);
  }

  static async start(): Promise<FakeAzure> {
    return new FakeAzure(await Receiver.start(hosts));
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  get outbound(): BulkOutbound {
    return bulkOutboundIn({
      receiver: this.receiver,
      hosts: Object.fromEntries(hosts.map((name) => [name, publicAddress])),
    });
  }

  get deps(): CollectDeps {
    const wait = async (milliseconds: number) => {
      this.waits.push(milliseconds);
      this.clock.advance(milliseconds);
    };
    return {
      outbound: this.outbound,
      clock: this.clock,
      budget: new CallBudget({ share: 0.2, clock: this.clock, wait }),
    };
  }

  /** Collects the subscription or the tenant, and returns the results by kind. */
  async collect(cloudAccount: string): Promise<{ sink: MemorySink; results: Map<string, ScopeResult> }> {
    const { signal } = new AbortController();
    const { targets } = await azureTargets(integration, this.deps, signal);
    const target = targets.find((one) => one.cloudAccount === cloudAccount);
    if (!target) throw new Error(`There is no target ${cloudAccount}.`);
    const sink = new MemorySink();
    const results = new Map<string, ScopeResult>();
    const collection = new Collection({ cloudAccount, sink, clock: this.clock });
    await collection.run(await target.readings(signal), signal, (_, ended) => {
      for (const result of ended) results.set(result.kind, result);
    });
    return { sink, results };
  }

  /** Paths of the received requests to an API, without queries. */
  paths(host = 'management.azure.com'): string[] {
    const urls = this.receiver.received.map(({ url }) => new URL(url));
    return urls.filter((url) => url.hostname === host).map(({ pathname }) => decodeURIComponent(pathname));
  }

  /** The queries of Resource Graph. */
  queries(): { query: string; options: Record<string, unknown>; subscriptions: string[] }[] {
    const posts = this.receiver.received.filter(({ url }) => url.includes('ResourceGraph'));
    return posts.map(({ body }) => JSON.parse(body));
  }

  #react(received: Received): Reaction {
    const url = new URL(received.url);
    if (url.hostname === hosts[0])
      return json({ access_token: `token for ${tokenScope(received)}`, expires_in: 3_599 });
    if (received.headers.authorization !== `Bearer token for ${url.origin}/.default`)
      return error(401, 'InvalidAuthenticationToken', 'The access token is invalid.');
    const path = decodeURIComponent(url.pathname).toLowerCase();
    if (path === '/providers/microsoft.resourcegraph/resources') return this.#query(received);
    const reply = this.replies[path] ?? this.#known(path);
    if (reply === undefined) return error(404, 'ResourceNotFound', 'The resource was not found.');
    return Array.isArray(reply) ? this.#page(url, reply) : isReaction(reply) ? reply : json(reply);
  }

  #known(path: string): object | undefined {
    const base = `/subscriptions/${subscription}`;
    const known: Record<string, object> = {
      '/tenants': [{ tenantId: tenant, displayName: 'Amberwood' }],
      '/subscriptions': [
        {
          subscriptionId: subscription.toUpperCase(),
          tenantId: tenant,
          displayName: 'Shop',
          state: 'Enabled',
        },
      ],
      [`${base}/providers/microsoft.authorization/permissions`]: [{ actions: this.actions, notActions: [] }],
    };
    return known[path];
  }

  #query({ body }: Received): Reaction {
    const { query, options } = JSON.parse(body) as { query: string; options: Record<string, unknown> };
    const [table = ''] = query.split(' | ');
    const wanted = new Set([...query.matchAll(/'([^']+)'/g)].map((match) => match[1]));
    const all = (this.tables[table] ?? []).filter(({ type }) => wanted.has(type.toLowerCase()));
    const start = Number(options.$skipToken ?? 0);
    const data = all.slice(start, start + this.pageSize);
    const end = start + data.length;
    const isLast = end >= all.length;
    return json(
      {
        ...{ totalRecords: all.length, count: data.length, data, facets: [] },
        ...(isLast ? { resultTruncated: 'false' } : { resultTruncated: 'true', $skipToken: String(end) }),
      },
      this.queryHeaders,
    );
  }

  #page(url: URL, values: readonly unknown[]): Reaction {
    const start = Number(url.searchParams.get('skip') ?? 0);
    const next = new URL(url);
    next.searchParams.set('skip', String(start + 2));
    const link = url.hostname === 'graph.microsoft.com' ? '@odata.nextLink' : 'nextLink';
    return json({
      value: values.slice(start, start + 2),
      ...(start + 2 < values.length && { [link]: next.href }),
    });
  }
}

export function json(body: object, headers: Record<string, string> = {}): Reaction {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

export function error(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Reaction {
  return { status, headers, body: JSON.stringify({ error: { code, message } }) };
}

function isReaction(reply: object | Reaction): reply is Reaction {
  return typeof reply === 'string' || 'body' in reply;
}

function tokenScope({ body }: Received): string | null {
  return new URLSearchParams(body).get('scope');
}
