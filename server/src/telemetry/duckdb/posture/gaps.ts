import type { DuckDBConnection } from '@duckdb/node-api';
import { scopesTable } from '../inventory/inventory-tables.ts';
import { placeColumns } from '../inventory/posture-tables.ts';

/** The identity of a place, from its columns. */
export const placeSql = `md5(concat_ws(chr(31), cloud_account, region, ${placeColumns
  .map((column) => `coalesce(${column}, '')`)
  .join(', ')}))`;

/** Regions of kinds without regions. */
const everywhere = `('aws-global', 'global', '')`;
const isUnread = `c.status in ('denied', 'failed', 'not enabled')`;
const why = `c.kind || case c.status when 'denied' then ' could not be read: ' when 'failed' then ' could not be read: '
  else ' is not enabled: ' end || coalesce(nullif(c.reason, ''), c.status)`;

/** The names under which a cloud account is collected, from the columns of a place. */
const accountNames = `list_distinct([cloud_account, account_id, subscription_id, tenant_id, project_id, cluster_id,
  'projects/' || project_id, 'organizations/' || organization_id])`;

/** Facts of a place of which only the cloud account is known. */
const knownFacts: Readonly<Record<string, string>> = {
  account_id: `case provider when 'aws' then cloud_account end`,
  subscription_id: `case provider when 'azure' then cloud_account end`,
  cluster_id: `case provider when 'k8s' then cloud_account end`,
  organization_id: `case when starts_with(cloud_account, 'organizations/') then cloud_account[15:] end`,
  project_id: `case when provider = 'gcp' and not starts_with(cloud_account, 'organizations/')
    then regexp_replace(cloud_account, '^projects/', '') end`,
  resource_region: 'region',
};
const factsSql = placeColumns
  .map((column) => `${knownFacts[column] ?? 'null::varchar'} as ${column}`)
  .join(', ');

const gapColumns = [
  ...['policy', 'provider', 'key', 'urn', 'cloud_account', 'region', 'reason'],
  ...placeColumns,
  'place',
];

/**
 * What the policies of the batch need and the collectors could not read: `gaps` by place, `unread` by resource, and
 * `gap_rows` for what is known to exist only.
 */
export async function createGaps(
  connection: DuckDBConnection,
  account: string,
  { isPartial }: { readonly isPartial: boolean },
): Promise<void> {
  const run = (sql: string) =>
    sql.includes('$account') ? connection.run(sql, { account }) : connection.run(sql);
  await run(`create or replace temp table known_scopes as select c.* from ${scopesTable} c
    where c.account = $account and c.kind in (select kind from needs)`);
  await run(`create or replace temp table places as
    select distinct scope, place, region, unnest(${accountNames}) as cloud_account from scope_rows`);
  await run(`create or replace temp table gaps as
    select policy, place, min(reason) as reason from (
      select b.policy, p.place, n.kind, case when count(c.kind) = 0 then n.kind || ' was not collected.'
        else min(${why}) filter (${isUnread} and (c.unread is null or not n.by_urn)) end as reason
      from batch b join needs n on n.policy = b.policy join places p on p.scope = b.scope
      left join known_scopes c on c.kind = n.kind and c.cloud_account = p.cloud_account
        and (c.region = p.region or c.region in ${everywhere} or p.region in ${everywhere})
      group by b.policy, p.place, n.kind) where reason is not null group by policy, place`);
  await run(`create or replace temp table unread as
    select b.policy, b.provider, b.is_partial, n.is_root, c.cloud_account, c.region, u.key as urn,
      c.kind || ' could not be read: ' || coalesce(nullif(u.reason, ''), u.status) as reason
    from batch b join needs n on n.policy = b.policy and n.by_urn
    join (select *, unnest(from_json(unread, '[{"key":"varchar","status":"varchar","reason":"varchar"}]')) as u
      from known_scopes where unread is not null) c on c.kind = n.kind`);
  // What is known to exist only does not change with a resource.
  if (isPartial) {
    await run(
      `create or replace temp table gap_rows (${gapColumns.map((column) => `${column} varchar`).join(', ')})`,
    );
    return;
  }
  await run(`create or replace temp table gap_rows as
    select *, ${placeSql} as place from (select policy, provider, key, urn, cloud_account, region, reason, ${factsSql} from (
      select b.policy, b.provider, c.cloud_account || ' ' || c.region as key, '' as urn, c.cloud_account, c.region,
        min(${why}) as reason
      from batch b join needs n on n.policy = b.policy and n.is_root and not b.is_partial
      join known_scopes c on c.kind = n.kind and ${isUnread} and c.unread is null group by all
      union all
      select u.policy, u.provider, u.urn, u.urn, u.cloud_account, u.region, min(u.reason)
      from unread u where u.is_root and not u.is_partial and not exists (select 1 from scope_rows s
        join batch b on b.scope = s.scope where b.policy = u.policy and (s.urn = u.urn or s.source_key = u.urn))
      group by all
      union all
      select b.policy, b.provider, a.cloud_account || ' ' || n.kind, '', a.cloud_account, 'global',
        n.kind || ' was not collected.'
      from batch b join needs n on n.policy = b.policy and n.is_root and not b.is_partial
      join (select distinct split_part(kind, '_', 3) as provider, cloud_account from ${scopesTable}
        where account = $account) a on a.provider = upper(b.provider)
      where not exists (select 1 from known_scopes c where c.kind = n.kind
        and (c.cloud_account = a.cloud_account or b.provider in ('azure', 'gcp')))))`);
}

export const gapTables = ['known_scopes', 'places', 'gaps', 'unread', 'gap_rows'];
