import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { FindingsQuery } from '../../posture-findings.ts';
import type { Provider } from '../../served-datasource.ts';
import { evaluationsTable, maxReason, placesTable, runsTable } from '../inventory/posture-tables.ts';

/** The columns of a cloud account and its parent, and other places that concern it. */
interface SubjectColumns {
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly parentName: string;
  /** Places that concern it as well, such as the directory of its tenant. */
  readonly further: string;
}

const empty = `''`;
const subjects: Readonly<Record<Provider, SubjectColumns>> = {
  aws: { id: 'account_id', name: 'account_alias', parent: empty, parentName: empty, further: 'false' },
  azure: {
    ...{ id: 'subscription_id', name: 'subscription_name', parent: 'tenant_id', parentName: 'tenant_name' },
    further: `l.provider = 'azure' and o.parent <> '' and (lower(l.cloud_account) = lower(o.parent)
      or (l.subscription_id is null and lower(l.tenant_id) = lower(o.parent)))`,
  },
  gcp: {
    ...{ id: 'project_id', name: 'project_name', parent: 'organization_id', parentName: 'organization_name' },
    further: `l.provider = 'gcp' and o.parent <> '' and l.project_id is null and (l.organization_id = o.parent
      or l.cloud_account = 'organizations/' || o.parent)`,
  },
  k8s: {
    ...{ id: 'cluster_id', name: empty, parent: empty, parentName: empty },
    // An EKS cluster is known by its ARN. Parts of it, such as node groups and images, are resources of its AWS account.
    further: `l.provider = 'aws' and o.id like 'arn:%:eks:%' and l.account_id = split_part(o.id, ':', 5)`,
  },
  oci: { id: 'tenant_id', name: 'tenant_name', parent: empty, parentName: empty, further: 'false' },
};

/** Of an AWS account, only what does not belong to another cluster. */
const concernsCluster = `(l.provider = $provider or e.key not like 'arn:%:eks:%' or e.key = $cloudAccount
  or contains(e.key, '/' || split_part($cloudAccount, '/', 2) || '/'))`;

const asOf = (time: string) => `e.opened_at <= ${time} and (e.until is null or e.until > ${time})`;

/** The evaluations of one cloud account as JSON: the form is `PostureFindings`. */
export async function readFindings(
  connection: DuckDBConnection,
  { account, provider, cloudAccount, parent, policies, at, earlier, maxListed }: FindingsQuery,
): Promise<string> {
  const columns = subjects[provider];
  const own = `select * from ${placesTable} where account = $account and provider = $provider
    and lower(${columns.id}) = lower($cloudAccount)`;
  const sql = `with own as (${own}),
    o as (select any_value(${columns.id}) as id, coalesce(any_value(nullif(${columns.name}, '')), '') as name,
        coalesce(nullif($parent, ''), any_value(nullif(${columns.parent}, '')), '') as parent,
        coalesce(any_value(nullif(${columns.parentName}, '')), '') as parent_name, count(*) as places from own),
    around as (select l.* from ${placesTable} l, o where l.account = $account and o.places > 0
      and ((l.provider = $provider and lower(l.${columns.id}) = lower($cloudAccount)) or (${columns.further}))),
    chosen as (select unnest(from_json($policies, '["varchar"]')) as policy),
    results as (select e.*, l.resource_region from ${evaluationsTable} e join around l on l.place = e.place
      where e.account = $account and e.policy in (from chosen) and ${asOf('$at')} and ${concernsCluster}),
    runs as (select * from ${runsTable} where account = $account and policy in (from chosen) and run_at <= $at),
    evaluated as (select coalesce((select max(run_at) from runs where policy in (select policy from results)),
      (select max(run_at) from runs)) as "at"),
    listed as (select policy, status, key as resource, coalesce(resource_region, '') as region,
        left(reason, ${maxReason}) as reason,
        coalesce(exception, '') as exception, since from results where status <> 'Compliant'
      order by policy, key limit ${maxListed}),
    times as (select e."at" - before as "at" from evaluated e, unnest(from_json($earlier, '["bigint"]')) o(before))
    select to_json({
      'subject': (select case when places > 0 then {'id': id, 'name': name, 'parent': parent, 'parentName': parent_name} end from o),
      'evaluatedAt': (select "at" from evaluated),
      'evaluated': (select coalesce(list(distinct policy), []) from runs),
      'counts': (select coalesce(list({'policy': policy, 'status': status, 'resources': n}), []) from
        (select policy, status, count(*) as n from results group by all order by all)),
      'listed': (select coalesce(list(l), []) from listed l),
      'earlier': (select coalesce(list(h), []) from (select distinct t."at", r.policy, 'Evaluated' as status
          from times t join runs r on r.run_at <= t."at"
        union select t."at", e.policy, e.status from times t
        join ${evaluationsTable} e on e.account = $account and e.policy in (from chosen) and ${asOf('t."at"')}
        join around l on l.place = e.place where ${concernsCluster} order by all) h)
    })::varchar`;
  const lists = { policies: JSON.stringify(policies), earlier: JSON.stringify(earlier) };
  const values = { account, provider, cloudAccount, parent: parent ?? '', ...lists };
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
