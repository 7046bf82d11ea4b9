import { CollectError } from '../inventory/problem.ts';
import type { AzureAccess } from './access.ts';
import { type AzureApi, type AzureCall, managementRate } from './azure-api.ts';
import { meaningOf } from './azure-problem.ts';
import { graphRows } from './resource-graph.ts';
import { isRow } from './row.ts';
import type { AzureScope } from './scope.ts';
import type { AzureService } from './service.ts';

const maxParents = 300_000;

/** A resource below which others are read. */
export interface AzureParent {
  readonly id: string;
  readonly name: string;
  readonly location?: unknown;
  readonly tags?: unknown;
}

/** The access of a collection to one subscription, or to the tenant. */
export class AzureSession {
  readonly api: AzureApi;
  readonly scope: AzureScope;
  readonly access: AzureAccess | undefined;
  readonly #parentTypes: readonly string[];
  #parents: Promise<ReadonlyMap<string, AzureParent[]>> | undefined;

  /** `parentTypes`: the types, in lower case, of which resources have children to be read. */
  constructor(
    api: AzureApi,
    scope: AzureScope,
    {
      access,
      parentTypes = [],
    }: { readonly access?: AzureAccess; readonly parentTypes?: readonly string[] } = {},
  ) {
    this.api = api;
    this.scope = scope;
    this.access = access;
    this.#parentTypes = parentTypes;
  }

  /** The resources of a type. One query finds those of all types; a failed one is repeated by the next reading. */
  async parents(type: string, signal: AbortSignal): Promise<readonly AzureParent[]> {
    this.#parents ??= this.#findParents(signal).catch((error: unknown) => {
      this.#parents = undefined;
      signal.throwIfAborted();
      const meaning = meaningOf(error, {}, 'Resource Graph', 'Microsoft.ResourceGraph/resources/read');
      throw meaning === 'none' ? error : new CollectError(meaning, error);
    });
    return (await this.#parents).get(type.toLowerCase()) ?? [];
  }

  /** A GET of the management plane. */
  managementCall(path: string, { namespace, rate }: AzureService, location: unknown): AzureCall {
    const { cloudAccount } = this.scope;
    const ownBudget = rate && { budget: `${namespace} ${String(location ?? '')} ${cloudAccount}`, rate };
    return {
      ...{ api: 'management', path },
      ...(ownBudget ?? { budget: `Resource Manager ${cloudAccount}`, rate: managementRate }),
    };
  }

  async #findParents(signal: AbortSignal): Promise<ReadonlyMap<string, AzureParent[]>> {
    const found = new Map<string, AzureParent[]>();
    const ids = new Set<string>();
    const query = {
      ...({ table: 'resources', types: this.#parentTypes, subscription: this.scope.cloudAccount } as const),
      columns: ['id', 'name', 'type', 'location', 'tags'],
    };
    const prefix = `/subscriptions/${this.scope.cloudAccount}/`;
    for await (const rows of graphRows(this.api, query, signal))
      for (const row of rows) {
        if (!isRow(row) || !row.id.toLowerCase().startsWith(prefix) || row.id.length > 4_096) continue;
        const type = String(row.type).toLowerCase();
        if (ids.has(row.id.toLowerCase())) continue;
        ids.add(row.id.toLowerCase());
        if (ids.size > maxParents)
          throw new CollectError({
            status: 'failed',
            reason: `The subscription has more than ${maxParents} resources with children.`,
          });
        const { id, name, location, tags } = row;
        const parents = found.get(type) ?? [];
        parents.push({ id, name: String(name), location, tags });
        found.set(type, parents);
      }
    return found;
  }
}
