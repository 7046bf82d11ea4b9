import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { Bind, ChangeRange, TableRead } from '@vedette/lql/compile/tables';
import { identityColumns } from '../../evaluation.ts';
import { resourceFacts } from '../../resource.ts';
import type { ResourceOrigin } from '../../served-datasource.ts';
import { identifier } from '../sql/sql.ts';
import { scopeColumns, scopesTable, versionsTable } from './inventory-tables.ts';

/** Columns that differ from a fact of the same name. */
const columns: Readonly<Record<string, string>> = {
  ...{ RESOURCE_CONFIG: 'config', RESOURCE_TAGS: 'tags' },
  ...{ ARN: 'urn', RESOURCE_KEY: 'urn' },
  ...{ BATCH_START_TIME: seenSql('started'), BATCH_END_TIME: seenSql('ended') },
  ...{ QUERY_START_TIME: seenSql('started'), QUERY_END_TIME: seenSql('ended') },
  // Columns of deprecated datasources, always null now.
  ...{ STATUS: 'null::varchar', PROPS: 'null::varchar' },
  ...{ [identityColumns.key]: 'key', [identityColumns.cloudAccount]: 'cloud_account' },
  ...{ [identityColumns.region]: 'region', [identityColumns.urn]: 'urn' },
};

/** Selects, for each resource present in the time range, its newest version in that range. */
export function inventorySql(
  { provider, kind }: ResourceOrigin,
  { columns: wanted, bounds, bind }: Pick<TableRead, 'columns' | 'bounds' | 'bind'>,
): string {
  const shown = wanted.map((column) => `${valueSql(column)} as ${identifier(column.name).sql}`);
  const { account, start, end, changed } = bounds;
  const inBounds = () =>
    [
      `account = ${bind(account)}`,
      kind ? `kind = ${bind(kind.name)}` : `starts_with(kind, ${bind(`LW_CFG_${provider.toUpperCase()}_`)})`,
      `since < ${bind(BigInt(end))} and (until is null or until > ${bind(BigInt(start))})`,
    ].join(' and ');
  // At one instant, a resource has one version.
  const isInstant = end - start <= 1;
  const newest = isInstant
    ? ''
    : `and v.id in (select arg_max(id, since) from ${versionsTable}
        where ${inBounds()} group by kind, cloud_account, region, key)`;
  const needsScope = wanted.some(({ name }) => columns[name]?.includes('seen_'));
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'}
    from ${versionsTable} v ${needsScope ? `left join ${scopesTable} using (${scopeColumns})` : ''}
    where ${inBounds()} ${newest} ${changed ? `and urn in (${changedUrnsSql(account, changed, bind)})` : ''}`;
}

/** The URNs of resources that were added, changed or removed after a position, in one of the kinds. */
export function changedUrnsSql(account: string, { after, datasources }: ChangeRange, bind: Bind): string {
  const kinds = datasources.map((name) => bind(name)).join(', ');
  return `select urn from ${versionsTable} where account = ${bind(account)} and kind in (${kinds})
    and (id > ${bind(BigInt(after))} or closed > ${bind(BigInt(after))})`;
}

function valueSql({ name, type }: Column): string {
  const special = columns[name];
  if (special) return special;
  if (!Object.hasOwn(resourceFacts, name)) throw new Error(`Resources have no column ${name}.`);
  const column = identifier(name.toLowerCase()).sql;
  // The organization id is a number in Google Cloud and a string in other clouds.
  return type === 'Number' ? `try_cast(${column} as bigint)` : column;
}

/** Ended versions store the snapshot that last saw them. */
function seenSql(side: 'started' | 'ended'): string {
  return `coalesce(seen_${side}, ${side})`;
}
