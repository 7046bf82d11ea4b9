import type { Outbound } from '../../outbound/outbound.ts';
import type { CloudTarget, CollectDeps, Discovery } from '../inventory/cloud.ts';
import { CollectError, type Problem } from '../inventory/problem.ts';
import { AzureAccess } from './access.ts';
import { type AzureCredential, AzureTokens, issuingTenant } from './access-token.ts';
import { applicationCredential } from './application.ts';
import { AzureApi, type AzureCall, type JsonObject, managementRate } from './azure-api.ts';
import { meaningOf } from './azure-problem.ts';
import { type AzureEndpoints, azureCloudIn, azureClouds } from './endpoints.ts';
import { localCredential } from './local-credential.ts';
import { parentTypes, subscriptionReadings, tenantReadings } from './plan.ts';
import { AzureScope } from './scope.ts';
import { AzureSession } from './session.ts';

export interface AzureTargetOptions {
  /** Names the cloud by AZURE_AUTHORITY_HOST or AZURE_ENVIRONMENT; the public one by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Only these subscriptions, whatever their case; all that the credential sees by default. */
  readonly subscriptions?: readonly string[];
}

export interface LocalAzureOptions extends AzureTargetOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Client for the metadata service, whose addresses the guarded client refuses. */
  readonly metadata: Outbound;
  /** Only this tenant, and its subscriptions. */
  readonly tenant?: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The credentials of an integration. */
export interface AzureIntegration {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The tenant and the subscriptions that the application of an integration sees. */
export function azureTargets(
  { tenantId, clientId, clientSecret }: AzureIntegration,
  deps: CollectDeps,
  signal: AbortSignal,
  { environment = {}, ...options }: AzureTargetOptions = {},
): Promise<Discovery> {
  const endpoints = azureClouds[azureCloudIn(environment)];
  const proof = { by: 'secret', secret: clientSecret } as const;
  const credential = applicationCredential({ tenantId, clientId, proof }, { ...deps, endpoints });
  return discovered(credential, endpoints, deps, { ...options, tenant: tenantId }, signal);
}

/** The tenant and the subscriptions that the user of the command line sees. */
export function localAzureTargets(
  options: LocalAzureOptions,
  deps: CollectDeps,
  signal: AbortSignal,
): Promise<Discovery> {
  const { environment, metadata, tenant } = options;
  const endpoints = azureClouds[azureCloudIn(environment)];
  const credential = localCredential({ ...deps, endpoints, environment, metadata, tenant });
  return discovered(credential, endpoints, deps, options, signal);
}

interface Wanted {
  readonly tenant?: string;
  readonly subscriptions?: readonly string[];
}

async function discovered(
  credential: AzureCredential,
  endpoints: AzureEndpoints,
  deps: CollectDeps,
  { tenant: wantedTenant, subscriptions: wanted }: Wanted,
  signal: AbortSignal,
): Promise<Discovery> {
  const tokens = new AzureTokens(credential, deps.clock);
  const api = new AzureApi({ ...deps, tokens, endpoints });
  const names = new Map(
    (await listed(api, 'tenants', signal)).map((row) => [idIn(row.tenantId), stringIn(row.displayName)]),
  );
  const rows = (await listed(api, 'subscriptions', signal)).filter(({ state }) => state !== 'Deleted');
  const problems: Problem[] = [];
  const scopes = rows.flatMap((row) => {
    const [id, tenantId] = [idIn(row.subscriptionId), idIn(row.tenantId) || idIn(wantedTenant)];
    if (!uuid.test(id) || !uuid.test(tenantId)) return [];
    const tenant = { id: tenantId, name: names.get(tenantId) ?? '' };
    return [new AzureScope(tenant, { id, name: stringIn(row.displayName) })];
  });
  const isWanted = ({ cloudAccount, tenant }: AzureScope) =>
    (!wanted || wanted.some((id) => id.toLowerCase() === cloudAccount)) &&
    (!wantedTenant || tenant.id === wantedTenant.toLowerCase());
  const subscriptions = scopes.filter(isWanted);
  for (const id of wanted ?? [])
    if (!subscriptions.some(({ cloudAccount }) => cloudAccount === id.toLowerCase()))
      problems.push(missing(`The credential does not see subscription ${id}.`));
  if (subscriptions.length === 0 && !wanted)
    problems.push(missing('The credential sees no subscription: assign the role Reader to it.'));
  const own = wantedTenant?.toLowerCase() ?? issuingTenant(await tokens.get(endpoints.management, signal));
  const tenants = tenantsOf(subscriptions, own, names);
  return {
    targets: [
      ...tenants.map((tenant) => tenantTarget(api, new AzureScope(tenant))),
      ...subscriptions.map((scope) => subscriptionTarget(api, scope)),
    ],
    problems,
  };
}

function subscriptionTarget(api: AzureApi, scope: AzureScope): CloudTarget {
  return {
    ...{ cloud: 'azure', cloudAccount: scope.cloudAccount, title: scope.title },
    async readings(signal) {
      const { azureServices } = await import('./catalogue.ts');
      const access = await AzureAccess.of(api, scope.cloudAccount, signal);
      const session = new AzureSession(api, scope, { access, parentTypes: parentTypes(azureServices) });
      return subscriptionReadings(session, azureServices);
    },
  };
}

function tenantTarget(api: AzureApi, scope: AzureScope): CloudTarget {
  return {
    ...{ cloud: 'azure', cloudAccount: scope.cloudAccount, title: scope.title },
    async readings() {
      const { azureServices } = await import('./catalogue.ts');
      return tenantReadings(new AzureSession(api, scope), azureServices);
    },
  };
}

/**
 * The tenant of the credential. Its subscriptions may be of others, which delegated them: the directories of those can
 * not be read with this credential.
 */
function tenantsOf(
  subscriptions: readonly AzureScope[],
  own: string | undefined,
  names: ReadonlyMap<string, string>,
): { id: string; name: string }[] {
  const ids = own ? [own] : [...new Set(subscriptions.map(({ tenant }) => tenant.id))];
  return ids.length === 1 ? ids.map((id) => ({ id, name: names.get(id) ?? '' })) : [];
}

async function listed(
  api: AzureApi,
  what: 'tenants' | 'subscriptions',
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const path = `/${what}?api-version=2022-12-01`;
  const call: AzureCall = { api: 'management', path, budget: 'Resource Manager', rate: managementRate };
  const rows: JsonObject[] = [];
  try {
    for await (const page of api.pages(call, 'nextLink', signal))
      rows.push(...page.map((row) => Object(row)));
    return rows;
  } catch (error) {
    signal.throwIfAborted();
    const meaning = meaningOf(error, {}, `Azure ${what}`, `Microsoft.Resources/${what}/read`);
    if (meaning === 'none') return rows;
    throw new CollectError(meaning, error);
  }
}

function missing(reason: string): Problem {
  return { status: 'denied', reason, permission: 'Microsoft.Resources/subscriptions/read' };
}

function idIn(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : '';
}

function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
