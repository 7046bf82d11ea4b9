import type { Provider } from '../../served-datasource.ts';
import { instantSql, stringSql } from '../inventory/resource-document.ts';
import { plain, type Sql } from '../sql/sql.ts';

/** Columns of `account`, for each provider. */
const accounts: Readonly<Record<Provider, Readonly<Record<string, string>>>> = {
  aws: { AccountId: 'account_id', Account_Alias: 'account_alias' },
  azure: {
    tenantId: 'tenant_id',
    tenantName: 'tenant_name',
    subscriptionId: 'subscription_id',
    subscriptionName: 'subscription_name',
  },
  gcp: {
    organizationId: 'organization_id',
    organizationName: 'organization_name',
    projectId: 'project_id',
    projectName: 'project_name',
  },
  k8s: { clusterName: 'cluster_id', clusterType: 'cluster_type' },
  oci: { tenantId: 'tenant_id' },
};

/** The columns under the names that filters have for them; some have that name already. */
export const evaluationColumnsSql = `'LW_SA' as "evalType", policy as "id", title as "recommendation",
  coalesce(resource_region, '') as "region", t as "reportTime", key as "resource",
  exception as "exceptionId"`;

/** The JSON of each member, from the columns of an evaluation; null if it is absent. */
export function evaluationMembersSql(provider: Provider): Record<string, Sql> {
  const account = Object.entries(accounts[provider])
    .map(([name, column]) => `'"${name}":' || ${stringSql(column)}`)
    .join(` || ',' || `);
  const members: Record<string, string> = {
    account: `'{' || ${account} || '}'`,
    evalType: `'"LW_SA"'`,
    id: stringSql('policy'),
    reason: stringSql('reason'),
    recommendation: stringSql('title'),
    region: stringSql('resource_region'),
    reportTime: instantSql('t'),
    resource: stringSql('key'),
    section: stringSql('section'),
    severity: stringSql('severity'),
    status: stringSql('status'),
    since: instantSql('since'),
    exceptionId: `case when exception is not null then ${stringSql('exception')} end`,
  };
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, plain(`(${value})`)]));
}
