import { cspNames } from '../../inventory-record.ts';
import type { Provider } from '../../served-datasource.ts';
import { plain, type Sql } from '../sql/sql.ts';

const hour = 3_600_000;
/** The status of a resource that was read. */
const status = '{"formatVersion":2,"props":{},"status":"success"}';

/** Columns of `cloudDetails`, for each provider. */
const details: Readonly<Record<Provider, Readonly<Record<string, string>>>> = {
  aws: { accountID: 'account_id', accountAlias: 'account_alias' },
  azure: { tenantId: 'tenant_id', subscriptionId: 'subscription_id' },
  gcp: { organizationId: 'organization_id', projectId: 'project_id' },
  k8s: { clusterId: 'cluster_id', clusterType: 'cluster_type' },
  oci: { tenantId: 'tenant_id', compartmentId: 'compartment_id' },
};

const started = `(t - t % ${hour})`;
const json = (column: string) => `to_json(coalesce(${column}, ''))::varchar`;

/** A timestamp as JSON; null if it is null. */
export function instantSql(instant: string): string {
  return `'"' || strftime(make_timestamp((${instant}) * 1000), '%Y-%m-%dT%H:%M:%S.%gZ') || '"'`;
}

/** The columns under the names that filters have for them; some have that name already. */
export function columnsSql(provider: Provider): string {
  return `${started} as "startTime", ${started} + ${hour} as "endTime", '${cspNames[provider]}' as "csp",
    resource_id as "resourceId", resource_type as "resourceType", resource_region as "resourceRegion",
    api_key as "apiKey"`;
}

/** The JSON of each member, from the columns of a version and the time `t` of its collection; null if it is absent. */
export function membersSql(provider: Provider): Record<string, Sql> {
  const inner = Object.entries(details[provider])
    .map(([name, column]) => `'"${name}":' || ${json(column)}`)
    .join(` || ',' || `);
  const members: Record<string, string> = {
    startTime: instantSql(started),
    endTime: instantSql(`${started} + ${hour}`),
    urn: json('urn'),
    csp: `'"${cspNames[provider]}"'`,
    cloudDetails: `'{' || ${inner} || '}'`,
    resourceId: json('resource_id'),
    resourceType: json('resource_type'),
    resourceRegion: json('resource_region'),
    resourceTags: 'tags',
    resourceConfig: 'config',
    service: json('service'),
    apiKey: json('api_key'),
    status: `'${status}'`,
  };
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, plain(`(${value})`)]));
}

/** The resource as a JSON object, with the members asked for, and more. */
export function documentSql(
  provider: Provider,
  returns: readonly string[] | undefined,
  more: Readonly<Record<string, string>> = {},
): string {
  return objectSql(membersSql(provider), returns, more);
}

/** A JSON object of the members asked for; those that are null are absent. */
export function objectSql(
  members: Readonly<Record<string, Sql>>,
  returns: readonly string[] | undefined,
  more: Readonly<Record<string, string>> = {},
): string {
  const own = Object.entries(members).filter(([name]) => returns?.includes(name) ?? true);
  const shown = [...own.map(([name, { sql }]) => [name, sql] as const), ...Object.entries(more)];
  const parts = shown.map(([name, json]) => `'"${name}":' || ${json}`);
  return `'{' || concat_ws(',', ${parts.length > 0 ? parts.join(', ') : `''`}) || '}'`;
}

/** A string as JSON, empty if it is null. */
export function stringSql(column: string): string {
  return json(column);
}
