import type { Column } from '@vedette/lql/catalogue/catalogue';
import type { Reading } from '@vedette/lql/compile/tables';
import { type ResourceFact, resourceFacts } from '../../resource.ts';
import type { ResourceOrigin } from '../../served-datasource.ts';
import { identifier } from '../sql/sql.ts';

/** The name under which the engine knows the file of the inventory. */
export const inventoryName = 'inventory';
export const versionsTable = `${inventoryName}.versions`;
export const scopesTable = `${inventoryName}.scopes`;

export const facts = Object.keys(resourceFacts) as ResourceFact[];

/** Columns of facts; those that a text can not be are converted when they are read. */
export const factColumns = facts.map((fact) => identifier(fact.toLowerCase()).sql);

/** Versions and snapshots are numbered together: `id` tells when one came, `closed` by which snapshot it ended. */
export const createVersionsSql = `create table if not exists ${versionsTable} (id bigint not null,
  account varchar not null, kind varchar not null, cloud_account varchar not null, key varchar not null, digest varchar not null,
  ${factColumns.map((column) => `${column} varchar, `).join('')} config varchar not null, tags varchar,
  since bigint not null, until bigint, seen_started bigint, seen_ended bigint, closed bigint)`;

/** When each kind was last looked for in a cloud account: what is open was seen then. */
export const createScopesSql = `create table if not exists ${scopesTable} (account varchar not null, kind varchar not null,
  cloud_account varchar not null, started bigint not null, ended bigint not null)`;

/** Columns that are not facts under their own names. */
const columns: Readonly<Record<string, string>> = {
  ...{ RESOURCE_CONFIG: 'config', RESOURCE_TAGS: 'tags' },
  ...{ ARN: 'urn', RESOURCE_KEY: 'urn' },
  ...{ BATCH_START_TIME: seenSql('started'), BATCH_END_TIME: seenSql('ended') },
  ...{ QUERY_START_TIME: seenSql('started'), QUERY_END_TIME: seenSql('ended') },
  // Of datasources under older names, where they are always empty now.
  ...{ STATUS: 'null::varchar', PROPS: 'null::varchar' },
};

/** A SELECT of resources: of each that was there in the time range, the newest version of that time. */
export function inventorySql(
  { provider, kind }: ResourceOrigin,
  { columns: wanted, bounds, bind }: Pick<Reading, 'columns' | 'bounds' | 'bind'>,
): string {
  const shown = wanted.map((column) => `${valueSql(column)} as ${identifier(column.name).sql}`);
  const { account, start, end } = bounds;
  const inBounds = () =>
    [
      `account = ${bind(account)}`,
      kind ? `kind = ${bind(kind.name)}` : `starts_with(kind, ${bind(`LW_CFG_${provider.toUpperCase()}_`)})`,
      `since < ${bind(BigInt(end))} and (until is null or until > ${bind(BigInt(start))})`,
    ].join(' and ');
  const needsScope = wanted.some(({ name }) => columns[name]?.includes('seen_'));
  return `select ${shown.length > 0 ? shown.join(', ') : 'true as "-"'}
    from ${versionsTable} v ${needsScope ? `left join ${scopesTable} using (account, kind, cloud_account)` : ''}
    where ${inBounds()} and v.id in (select arg_max(id, since) from ${versionsTable}
      where ${inBounds()} group by kind, cloud_account, key)`;
}

function valueSql({ name, type }: Column): string {
  const other = columns[name];
  if (other) return other;
  if (!Object.hasOwn(resourceFacts, name)) throw new Error(`Resources have no column ${name}.`);
  const column = identifier(name.toLowerCase()).sql;
  // The number of an organization of Google Cloud is a text in other clouds.
  return type === 'Number' ? `try_cast(${column} as bigint)` : column;
}

/** What has ended says by which snapshot it was seen last. */
function seenSql(side: 'started' | 'ended'): string {
  return `coalesce(seen_${side}, ${side})`;
}
