import { AzureAccess } from '@vedette/server/collect/azure/access';
import { AzureApi, type AzureApiDeps, type AzureCall } from '@vedette/server/collect/azure/azure-api';
import { AzureError } from '@vedette/server/collect/azure/azure-problem';
import { parentTypes, subscriptionReadings, tenantReadings } from '@vedette/server/collect/azure/plan';
import type { AzureScope } from '@vedette/server/collect/azure/scope';
import type { AzureService } from '@vedette/server/collect/azure/service';
import { AzureSession } from '@vedette/server/collect/azure/session';
import type { Reading } from '@vedette/server/collect/inventory/reading';
import type { CloudObject } from '@vedette/server/simulate/clouds/cloud-object';
import { type Denial, nothingDenied } from './permission.ts';

type Answer = Readonly<Record<string, unknown>>;
type Row = Answer & { readonly id: string; readonly type: string };

const directory = 'Microsoft.Graph';

/** Answers the calls of the collector from objects: nothing is sent. */
export class SimulatedAzureApi extends AzureApi {
  readonly #rows: readonly Row[];
  /** Objects of the directory, by the path that returns them. */
  readonly #entities = new Map<string, CloudObject[]>();
  readonly #denied: Denial;

  constructor(objects: readonly CloudObject[], denied = nothingDenied) {
    super({} as AzureApiDeps);
    this.#denied = denied;
    this.#rows = objects.filter(({ api }) => api !== directory).map(({ value }) => value as Row);
    for (const object of objects.filter(({ api }) => api === directory)) {
      const path = object.of ?? object.id;
      this.#entities.set(path, [...(this.#entities.get(path) ?? []), object]);
    }
  }

  override async call({ api, path, body }: AzureCall): Promise<Answer> {
    const plain = decodeURIComponent(path.replace(/\?.*$/, ''));
    if (api === 'graph') return this.#entity(plain.replace(/^\/v[^/]+\//, ''));
    if (body) return { data: this.#table(body as { subscriptions: string[]; query: string }) };
    if (plain.endsWith('/providers/Microsoft.Authorization/permissions'))
      return { value: [{ actions: this.#denied('*') ? [] : ['*'], notActions: this.#deniedTypes() }] };
    return this.#below(plain);
  }

  #entity(path: string): Answer {
    if (this.#denied(`${directory}/${path}`)) throw refused(403, 'Authorization_RequestDenied', path);
    const found = this.#entities.get(path);
    if (!found) throw refused(404, 'Request_ResourceNotFound', path);
    const [first] = found;
    const values = found.flatMap(({ value }) => value ?? []);
    return first?.of === undefined ? (first?.value as Answer) : { value: values };
  }

  /** The rows of a query of Resource Graph. */
  #table({ subscriptions, query }: { subscriptions: string[]; query: string }): readonly Row[] {
    const [, list = ''] = /where type in~ \(([^)]*)\)/.exec(query) ?? [];
    const types = new Set(list.split(',').map((type) => type.slice(1, -1)));
    const isHere = ({ id }: Row) => subscriptions.some((one) => id.startsWith(`/subscriptions/${one}`));
    return this.#rows.filter((row) => types.has(row.type) && isHere(row));
  }

  /** A resource, or those directly below a path. */
  #below(path: string): Answer {
    const type = typeOf(path);
    if (this.#denied(`${type}/read`)) throw refused(403, 'AuthorizationFailed', `${type}/read`);
    const wanted = path.toLowerCase();
    const exact = this.#rows.find(({ id }) => id.toLowerCase() === wanted);
    if (exact) return exact;
    const value = this.#rows.filter(({ id }) => id.toLowerCase().replace(/\/[^/]+$/, '') === wanted);
    if (value.length === 0) throw refused(404, 'ResourceNotFound', path);
    return { value };
  }

  #deniedTypes(): string[] {
    const types = [...new Set(this.#rows.map(({ id }) => typeOf(id)))];
    return types.map((type) => `${type}/read`).filter(this.#denied);
  }
}

/** `Microsoft.Sql/servers/auditingSettings` of a path, with or without the name at its end. */
function typeOf(path: string): string {
  const [namespace = '', ...rest] = (path.split('/providers/').at(-1) ?? '').split('/');
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join('/');
}

function refused(status: number, code: string, what: string): AzureError {
  return new AzureError(status, [code], `${code}: ${what}`);
}

/** The readings of the collector, of the services that the simulated tenant uses. */
export async function simulatedAzureReadings(
  objects: readonly CloudObject[],
  scope: AzureScope,
  denied = nothingDenied,
): Promise<Reading[]> {
  const { azureServices } = await import('@vedette/server/collect/azure/catalogue');
  const api = new SimulatedAzureApi(objects, denied);
  const services = usedServices(azureServices, objects);
  if (!scope.subscription) return tenantReadings(new AzureSession(api, scope), services);
  const access = await AzureAccess.of(api, scope.cloudAccount, new AbortController().signal);
  return subscriptionReadings(
    new AzureSession(api, scope, { access, parentTypes: parentTypes(services) }),
    services,
  );
}

/** Hundreds of other types would only be found empty. */
function usedServices(services: readonly AzureService[], objects: readonly CloudObject[]): AzureService[] {
  const used = new Set(objects.map(({ api }) => api.toLowerCase()));
  const isUsed = ({ type }: { readonly type: string }) => used.has(type.toLowerCase());
  return services.map(({ types = [], subscription = [], tenant = [], ...service }) => ({
    ...service,
    types: types
      .filter(isUsed)
      .map(({ children = [], ...type }) => ({ ...type, children: children.filter(isUsed) })),
    ...{ subscription: subscription.filter(isUsed), tenant: tenant.filter(isUsed) },
  }));
}
