import type { Resource } from '../../telemetry/resource.ts';
import { type AzureRow, isRow, resourceOf } from './row.ts';
import { AzureScope } from './scope.ts';
import { type AzureService, type AzureType, kindOf } from './service.ts';

/** The resources of one kind in one subscription. A file has no kind that is known to be empty. */
export interface ImportedKind {
  readonly kind: string;
  /** The subscription, or the tenant for rows without one. */
  readonly cloudAccount: string;
  readonly resources: readonly Resource[];
}

export interface GraphImport {
  readonly kinds: readonly ImportedKind[];
  /** Rows of types that are not collected, by type. */
  readonly ignored: Readonly<Record<string, number>>;
}

export class GraphImportError extends Error {}

/** The rows of `az graph query --output json`: an array, or an object with the array `data`. */
export async function importAzureGraph(file: unknown): Promise<GraphImport> {
  const { azureServices } = await import('./catalogue.ts');
  return importGraphRows(file, azureServices);
}

export function importGraphRows(file: unknown, services: readonly AzureService[]): GraphImport {
  const rows = rowsIn(file);
  const types = new Map(
    services.flatMap(({ types = [] }) => types).map((type) => [type.type.toLowerCase(), type]),
  );
  const names = subscriptionNames(rows);
  const kinds = new Map<string, { kind: string; cloudAccount: string; resources: Map<string, Resource> }>();
  const ignored: Record<string, number> = Object.create(null);
  for (const [index, row] of rows.entries()) {
    const type = String(row.type).toLowerCase();
    const declared = types.get(type);
    if (!declared) {
      ignored[type.slice(0, 200)] = (ignored[type.slice(0, 200)] ?? 0) + 1;
      continue;
    }
    const scope = scopeOf(row, index, names);
    const [kind, { cloudAccount }] = [kindOf(declared), scope];
    const name = `${kind} ${cloudAccount}`;
    const found = kinds.get(name) ?? { kind, cloudAccount, resources: new Map() };
    kinds.set(name, found);
    const resource = resourceOf(row, originOf(declared), scope);
    found.resources.set(resource.key, resource);
  }
  const imported = [...kinds.values()].map((one) => ({ ...one, resources: [...one.resources.values()] }));
  return { kinds: imported, ignored: { ...ignored } };
}

function originOf({ type, table = 'resources', redact = [] }: AzureType) {
  return { type: type.toLowerCase(), call: table, redact };
}

function rowsIn(file: unknown): AzureRow[] {
  const rows = Array.isArray(file) ? file : (Object(file) as { data?: unknown }).data;
  if (!Array.isArray(rows))
    throw new GraphImportError(
      'The file is neither an array of resources nor an object with the array data: export it with az graph query --output json.',
    );
  const bad = rows.findIndex((row) => !isRow(row) || typeof row.type !== 'string');
  if (bad >= 0)
    throw new GraphImportError(
      `data[${bad}] has no id or no type: keep the columns id and type in the projection of the query.`,
    );
  return rows;
}

/** Rows of subscriptions name those of the others. */
function subscriptionNames(rows: readonly AzureRow[]): ReadonlyMap<string, string> {
  const subscriptions = rows.filter(
    ({ type }) => String(type).toLowerCase() === 'microsoft.resources/subscriptions',
  );
  return new Map(subscriptions.map((row) => [subscriptionOf(row) ?? '', String(row.name ?? '')]));
}

function scopeOf(row: AzureRow, index: number, names: ReadonlyMap<string, string>): AzureScope {
  const tenant = { id: typeof row.tenantId === 'string' ? row.tenantId : '', name: '' };
  const id = subscriptionOf(row);
  if (id === undefined && tenant.id === '')
    throw new GraphImportError(
      `data[${index}] names neither a subscription nor a tenant: keep the columns subscriptionId and tenantId in the projection.`,
    );
  return new AzureScope(tenant, id === undefined ? undefined : { id, name: names.get(id) ?? '' });
}

function subscriptionOf({ id, subscriptionId }: AzureRow): string | undefined {
  const [, fromId] = /^\/subscriptions\/([^/]+)/i.exec(id) ?? [];
  const found = typeof subscriptionId === 'string' && subscriptionId !== '' ? subscriptionId : fromId;
  return found?.toLowerCase();
}
