import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { FindingsQuery } from '../../posture-findings.ts';
import type { Provider } from '../../served-datasource.ts';
import { evaluationsTable, placesTable, runsTable } from '../inventory/posture-tables.ts';

/** The columns of a cloud account and its parent, and other places that concern it. */
interface SubjectColumns {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly parentName: string;
  /** Places of the parent itself, such as the directory of a tenant. */
  readonly ofParent: string;
}

const empty = `''`;
const subjects: Readonly<Record<Provider, SubjectColumns>> = {
  aws: { id: 'account_id', name: 'account_alias', parent: empty, parentName: empty, ofParent: 'false' },
  azure: {
    ...{ id: 'subscription_id', name: 'subscription_name', parent: 'tenant_id', parentName: 'tenant_name' },
    ofParent: `lower(l.cloud_account) = lower(o.parent)
      or (l.subscription_id is null and lower(l.tenant_id) = lower(o.parent))`,
  },
  gcp: {
    ...{ id: 'project_id', name: 'project_name', parent: 'organization_id', parentName: 'organization_name' },
    ofParent: `l.project_id is null and (l.organization_id = o.parent
      or l.cloud_account = 'organizations/' || o.parent)`,
  },
  k8s: { id: 'cluster_id', name: empty, parent: empty, parentName: empty, ofParent: 'false' },
  oci: { id: 'tenant_id', name: 'tenant_name', parent: empty, parentName: empty, ofParent: 'false' },
};

const asOf = (time: string) => `e.opened_at <= ${time} and (e.until is null or e.until > ${time})`;

/** The evaluations of one cloud account as JSON: the form is `PostureFindings`. */
export async function readFindings(
  connection: DuckDBConnection,
  { account, provider, cloudAccount, parent, at, earlier, maxListed }: FindingsQuery,
): Promise<string> {
  const columns = subjects[provider];
  const own = `select * from ${placesTable} where account = $account and provider = $provider
    and lower(${columns.id}) = lower($cloudAccount)`;
  const sql = `with own as (${own}),
    o as (select any_value(${columns.id}) as id, coalesce(any_value(nullif(${columns.name}, '')), '') as name,
        coalesce(nullif($parent, ''), any_value(nullif(${columns.parent}, '')), '') as parent,
        coalesce(any_value(nullif(${columns.parentName}, '')), '') as parent_name, count(*) as places from own),
    around as (select l.* from ${placesTable} l, o where l.account = $account and l.provider = $provider
      and o.places > 0 and (lower(l.${columns.id}) = lower($cloudAccount) or (o.parent <> '' and (${columns.ofParent})))),
    results as (select e.*, l.resource_region from ${evaluationsTable} e join around l on l.place = e.place
      where e.account = $account and ${asOf('$at')}),
    runs as (select * from ${runsTable} where account = $account and run_at <= $at),
    listed as (select policy, status, key as resource, coalesce(resource_region, '') as region, reason,
        coalesce(exception, '') as exception, since from results where status <> 'Compliant'
      order by policy, key limit ${maxListed}),
    times as (select unnest(from_json($earlier, '["bigint"]')) as "at")
    select to_json({
      'subject': (select case when places > 0 then {'id': id, 'name': name, 'parent': parent, 'parentName': parent_name} end from o),
      'evaluatedAt': (select max(run_at) from runs where policy in (select policy from results)),
      'evaluated': (select coalesce(list(distinct policy), []) from runs),
      'counts': (select coalesce(list({'policy': policy, 'status': status, 'resources': n}), []) from
        (select policy, status, count(*) as n from results group by all order by all)),
      'listed': (select coalesce(list(l), []) from listed l),
      'earlier': (select coalesce(list(h), []) from (select distinct t."at", e.policy, e.status from times t
        join ${evaluationsTable} e on e.account = $account and ${asOf('t."at"')}
        join around l on l.place = e.place order by all) h)
    })::varchar`;
  const values = { account, provider, cloudAccount, parent: parent ?? '', earlier: JSON.stringify(earlier) };
  const result = await connection.runAndReadAll(
    sql,
    { ...values, at: BigInt(at) },
    {
      ...Object.fromEntries(Object.keys(values).map((name) => [name, VARCHAR])),
      at: BIGINT,
    },
  );
  return String(result.getRows()[0]?.[0]);
}
