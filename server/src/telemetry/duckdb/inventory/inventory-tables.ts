import type { DuckDBConnection } from '@duckdb/node-api';
import { type ResourceFact, resourceFacts } from '../../resource.ts';
import { identifier } from '../sql/sql.ts';
import { inventoryName } from './database-name.ts';
import { postureCreations } from './posture-tables.ts';

export { inventoryName };
export const versionsTable = `${inventoryName}.versions`;
export const scopesTable = `${inventoryName}.scopes`;
export const attemptsTable = `${inventoryName}.attempts`;
export const stagedTable = `${inventoryName}.staged`;

export const facts = Object.keys(resourceFacts) as ResourceFact[];

/** Columns of facts, all strings; other types are converted when read. */
export const factColumns = facts.map((fact) => identifier(fact.toLowerCase()).sql);
const factDefinitions = factColumns.map((column) => `${column} varchar, `).join('');

/** The columns of a scope. */
export const scopeColumns = 'account, kind, cloud_account, region';
const scopeDefinition =
  'account varchar not null, kind varchar not null, cloud_account varchar not null, region varchar not null';

/** The same of one of several tables. */
export function scopeColumnsOf(table: string): string {
  return scopeColumns
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ');
}

/** The condition that two tables have the same scope. */
export function sameScope(left: string, right: string): string {
  return scopeColumns
    .split(', ')
    .map((column) => `${left}.${column} = ${right}.${column}`)
    .join(' and ');
}

const creations = [
  // Versions and snapshots share one sequence: `id` is the position of a version, `closed` that of the snapshot which
  // ended it.
  `create table if not exists ${versionsTable} (id bigint not null, ${scopeDefinition}, key varchar not null,
    digest varchar not null, ${factDefinitions} config varchar not null, tags varchar,
    since bigint not null, until bigint, seen_started bigint, seen_ended bigint, closed bigint)`,
  // `started` and `ended` are of the last complete snapshot, in which open versions were seen; `digest` and `present` are
  // of these versions; `changed` is the position of the last change of resources or status, `status_changed` that
  // of the status alone; the rest is of the last attempt.
  `create table if not exists ${scopesTable} (${scopeDefinition}, started bigint, ended bigint,
    tried_started bigint not null, tried_ended bigint not null, status varchar not null, reason varchar not null,
    resources bigint not null, unread varchar, digest varchar, present bigint,
    changed bigint, status_changed bigint)`,
  `create table if not exists ${attemptsTable} (id bigint not null, ${scopeDefinition}, started bigint not null, ended bigint not null,
    status varchar not null, reason varchar not null, resources bigint not null, unread varchar,
    is_complete boolean not null)`,
  // Parts of unfinished snapshots. Without a digest the resource could not be read, without a config it is unchanged.
  // Facts are one JSON string, because the engine takes a block of memory for each column of a transaction.
  `create table if not exists ${stagedTable} (${scopeDefinition}, started bigint not null, part bigint not null,
    n bigint not null, key varchar not null, digest varchar, problem varchar, reason varchar, size bigint,
    facts varchar, config varchar, tags varchar)`,
];

/** Creates what is missing, and upgrades the tables of earlier releases. */
export async function prepareTables(connection: DuckDBConnection): Promise<void> {
  const isOld = await hasOldScopes(connection);
  // Earlier releases had a column for each fact: a collection that they interrupted starts again.
  if (!(await hasColumn(connection, 'staged', 'facts')))
    await connection.run(`drop table if exists ${stagedTable}`);
  if (isOld) await connection.run('begin');
  if (isOld) await addRegions(connection);
  for (const creation of [...creations, ...postureCreations]) await connection.run(creation);
  if (isOld) await moveOldScopes(connection);
  if (isOld) await connection.run('commit');
  for (const column of factColumns)
    await connection.run(`alter table ${versionsTable} add column if not exists ${column} varchar`);
  await connection.run(`alter table ${scopesTable} add column if not exists digest varchar`);
  await connection.run(`alter table ${scopesTable} add column if not exists present bigint`);
  for (const column of ['changed', 'status_changed'])
    await connection.run(`alter table ${scopesTable} add column if not exists ${column} bigint`);
}

/** Before regions, a snapshot contained all regions of a cloud account. */
async function hasOldScopes(connection: DuckDBConnection): Promise<boolean> {
  const isThere = await hasColumn(connection, 'scopes', 'account');
  return isThere && !(await hasColumn(connection, 'scopes', 'region'));
}

async function hasColumn(connection: DuckDBConnection, table: string, column: string): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `select 1 from duckdb_columns() where database_name = '${inventoryName}' and table_name = $table
      and column_name = $column`,
    { table, column },
  );
  return found.currentRowCount > 0;
}

async function addRegions(connection: DuckDBConnection): Promise<void> {
  await connection.run(`alter table ${versionsTable} add column region varchar`);
  await connection.run(`update ${versionsTable} set region = coalesce(resource_region, '')`);
  await connection.run(`alter table ${scopesTable} rename to old_scopes`);
}

/** Each region in which resources were seen becomes a scope. */
async function moveOldScopes(connection: DuckDBConnection): Promise<void> {
  const found = `from ${inventoryName}.old_scopes o join (select ${scopeColumns},
      count(*) filter (until is null) as present from ${versionsTable} group by all) v
    using (account, kind, cloud_account)`;
  const status = `case when present > 0 then 'collected' else 'empty' end`;
  await connection.run(`insert into ${scopesTable} select account, kind, cloud_account, region, started, ended,
    started, ended, ${status}, '', present, null, null, null, null, null ${found}`);
  await connection.run(`insert into ${attemptsTable} select 0, account, kind, cloud_account, region, started, ended,
    ${status}, '', present, null, true ${found}`);
  await connection.run(`drop table ${inventoryName}.old_scopes`);
}
