import { BIGINT, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import { type Resource, type ResourceVersion, resourceFacts } from '../../resource.ts';
import { factColumns, facts, versionsTable } from './inventory-tables.ts';
import { integerOrNull, type RowColumn, RowInsert } from './row-insert.ts';

/** A row of the versions table. */
export interface VersionRow extends Omit<ResourceVersion, 'seenStarted' | 'seenEnded' | 'opened' | 'closed'> {
  readonly id: number;
  readonly digest: string;
  readonly seenStarted?: number | undefined;
  readonly seenEnded?: number | undefined;
  readonly closed?: number | undefined;
}

/** The columns of a resource's facts, in any table. */
export const factRowColumns = facts.map(
  (fact, at): RowColumn<Pick<Resource, 'facts'>> => [
    factColumns[at] as string,
    VARCHAR,
    (row) => row.facts[fact] ?? null,
    resourceFacts[fact] === 'Json',
  ],
);

const insert = new RowInsert<VersionRow>(versionsTable, [
  ['id', BIGINT, ({ id }) => BigInt(id)],
  ['account', VARCHAR, ({ account }) => account],
  ['kind', VARCHAR, ({ kind }) => kind],
  ['cloud_account', VARCHAR, ({ cloudAccount }) => cloudAccount],
  ['region', VARCHAR, ({ region }) => region],
  ['key', VARCHAR, ({ key }) => key],
  ['digest', VARCHAR, ({ digest }) => digest],
  ...factRowColumns,
  ['config', VARCHAR, ({ config }) => config, true],
  ['tags', VARCHAR, ({ tags }) => tags ?? null, true],
  ['since', BIGINT, ({ since }) => BigInt(since)],
  ['until', BIGINT, ({ until }) => integerOrNull(until)],
  ['seen_started', BIGINT, ({ seenStarted }) => integerOrNull(seenStarted)],
  ['seen_ended', BIGINT, ({ seenEnded }) => integerOrNull(seenEnded)],
  ['closed', BIGINT, ({ closed }) => integerOrNull(closed)],
]);

/** Inserts versions of a backup. */
export function insertVersions(connection: DuckDBConnection, rows: readonly VersionRow[]): Promise<void> {
  return insert.run(connection, rows, ({ config }) => config.length);
}
