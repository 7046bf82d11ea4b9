import { BIGINT, type DuckDBConnection, LIST, listValue } from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import type { Resource } from '../../resource.ts';
import { digestOf } from '../../resource-digest.ts';
import type { SnapshotId, SnapshotPart } from '../../snapshot.ts';
import { sameScope, scopesTable, stagedTable, versionsTable } from './inventory-tables.ts';
import { refuseUnreadable } from './row-insert.ts';
import { createTextTable, snapshotColumns, textColumns } from './text-columns.ts';

/** A part of a snapshot that is to be stored. */
export interface ReceivedPart {
  readonly account: string;
  readonly id: SnapshotId;
  readonly part: SnapshotPart;
}

/** What a row takes besides its configuration and tags. */
const rowSize = 200;

/**
 * Bytes of an account in snapshots that are not finished: more than the largest collection, and less than what would
 * fill a disk if a collector never finishes.
 */
const maxStagedBytes = 1024 ** 3;
/** No collection takes longer: parts that are older than this were abandoned. */
const longestCollection = 24 * 3_600_000;

/** The parts of a transaction and their resources as tables: a few statements stage all of them. */
const [partsTable, resourcesTable, changedTable] = [
  'received_parts',
  'received_resources',
  'changed_resources',
];
const ofPart = 'p.account, p.kind, p.cloud_account, p.region, p.started, p.part';
const ownColumns = 'account, kind, cloud_account, region, started, part, n, key, digest, size';

/**
 * Stores parts of one account in the connection's transaction, except those that are stored and those of outdated
 * snapshots. They have different scopes, or belong to the same snapshot. Returns for each the keys of the resources that
 * were given by a digest and are not stored so. Throws if the account has too many.
 */
export async function stageParts(
  connection: DuckDBConnection,
  received: readonly ReceivedPart[],
  limit = maxStagedBytes,
): Promise<readonly (readonly string[])[]> {
  await createTextTable(connection, partsTable, received, {
    ...snapshotColumns,
    part: ['bigint', ({ part }) => part.number],
  });
  const outdated = await numbers(
    connection,
    `select p.n from ${partsTable} p where exists
    (select 1 from ${scopesTable} c where ${sameScope('p', 'c')} and c.tried_started >= p.started)`,
  );
  const stored = await numbers(
    connection,
    `select p.n from ${partsTable} p where exists (select 1 from ${stagedTable} t
    where ${sameScope('p', 't')} and t.started = p.started and t.part = p.part)`,
  );
  const parts = received
    .map((one, at) => ({ ...one, at, isStored: stored.has(at) }))
    .filter(({ at }) => !outdated.has(at));
  const missing = received.map((): string[] => []);
  if (parts.length > 0) {
    // A new snapshot replaces one that was interrupted.
    await connection.run(
      `delete from ${stagedTable} t using ${partsTable} p where ${sameScope('t', 'p')} and t.started < p.started`,
    );
    await stageResources(connection, parts, missing);
    const fresh = parts.filter(({ isStored }) => !isStored);
    await stageUnread(connection, fresh);
    if (fresh.length > 0) await keepWithin(connection, fresh, limit);
  }
  await connection.run(`drop table ${partsTable}`);
  return missing;
}

type NumberedPart = ReceivedPart & { readonly at: number; readonly isStored: boolean };

async function numbers(connection: DuckDBConnection, query: string): Promise<ReadonlySet<number>> {
  const result = await connection.runAndReadAll(query);
  return new Set(result.getRows().map(([n]) => Number(n)));
}

interface StagedResource {
  readonly at: number;
  readonly n: number;
  readonly key: string;
  readonly digest: string;
  /** Absent if only its digest was given. */
  readonly resource?: Resource;
}

/** Adds to `missing`, by part. Of a part that is stored already only that is found out. */
async function stageResources(
  connection: DuckDBConnection,
  parts: readonly NumberedPart[],
  missing: readonly string[][],
): Promise<void> {
  const all = parts.flatMap(({ at, part, isStored }): StagedResource[] => {
    const { resources, unread, known = [] } = part;
    const first = resources.length + unread.length;
    return [
      ...(isStored
        ? []
        : resources.map((resource, n) => ({
            at,
            n,
            key: resource.key,
            digest: digestOf(resource),
            resource,
          }))),
      ...known.map(({ key, digest }, index) => ({ at, n: first + index, key, digest })),
    ];
  });
  if (all.length === 0) return;
  await createTextTable(connection, resourcesTable, all, {
    r: ['bigint', (_, r) => r],
    at: ['bigint', ({ at }) => at],
    n: ['bigint', ({ n }) => n],
    key: ['varchar', ({ key }) => key],
    digest: ['varchar', ({ digest }) => digest],
  });
  const joined = `${resourcesTable} r join ${partsTable} p on p.n = r.at`;
  await connection.run(`create or replace temp table ${changedTable} as select r.r from ${joined}
    where not exists (select 1 from ${versionsTable} v where ${sameScope('v', 'p')} and v.until is null
      and v.key = r.key and v.digest = r.digest)`);
  const fresh = parts.filter(({ isStored }) => !isStored).map(({ at }) => BigInt(at));
  await connection.run(
    `insert into ${stagedTable} (${ownColumns}) select ${ofPart}, r.n, r.key, r.digest, ${rowSize}
      from ${joined} where r.r not in (select r from ${changedTable}) and r.at in (select unnest($fresh))`,
    { fresh: listValue(fresh) },
    { fresh: LIST(BIGINT) },
  );
  const changed = await connection.runAndReadAll(`select r from ${changedTable} order by r`);
  const rows: { r: number; resource: Resource }[] = [];
  for (const [r] of changed.getRows()) {
    const { at, key, resource } = all[Number(r)] as StagedResource;
    if (resource) rows.push({ r: Number(r), resource });
    else missing[at]?.push(key);
  }
  if (rows.length > 0) await insertChanged(connection, rows);
  for (const table of [resourcesTable, changedTable]) await connection.run(`drop table ${table}`);
}

async function insertChanged(
  connection: DuckDBConnection,
  rows: readonly { readonly r: number; readonly resource: Resource }[],
): Promise<void> {
  const texts = textColumns(rows, {
    r: ['bigint', ({ r }) => r],
    facts: ['document', ({ resource }) => JSON.stringify(resource.facts)],
    config: ['document', ({ resource }) => resource.config],
    tags: ['document', ({ resource }) => resource.tags],
  });
  await connection
    .run(
      `insert into ${stagedTable} (${ownColumns}, facts, config, tags)
        select ${ofPart}, r.n, r.key, r.digest, ${rowSize} + length(c.config) + coalesce(length(c.tags), 0),
          c.facts, c.config::json::varchar, c.tags::json::varchar
        from (select ${texts.columns}) c join ${resourcesTable} r on r.r = c.r join ${partsTable} p on p.n = r.at`,
      texts.values,
    )
    .catch(refuseUnreadable);
}

async function stageUnread(connection: DuckDBConnection, parts: readonly NumberedPart[]): Promise<void> {
  const all = parts.flatMap(({ at, part }) =>
    part.unread.map((unread, index) => ({ at, n: part.resources.length + index, unread })),
  );
  if (all.length === 0) return;
  const texts = textColumns(all, {
    at: ['bigint', ({ at }) => at],
    n: ['bigint', ({ n }) => n],
    key: ['varchar', ({ unread }) => unread.key],
    problem: ['varchar', ({ unread }) => unread.status],
    reason: ['varchar', ({ unread }) => unread.reason],
  });
  await connection.run(
    `insert into ${stagedTable} (${ownColumns}, problem, reason)
      select ${ofPart}, u.n, u.key, null, ${rowSize} + length(u.reason), u.problem, u.reason
      from (select ${texts.columns}) u join ${partsTable} p on p.n = u.at`,
    texts.values,
  );
}

/** The numbers of the parts of a snapshot that are stored. */
export async function stagedNumbers(
  connection: DuckDBConnection,
  account: string,
  { kind, cloudAccount, region, started }: SnapshotId,
): Promise<number[]> {
  const result = await connection.runAndReadAll(
    `select distinct part from ${stagedTable} where account = $account and kind = $kind
      and cloud_account = $cloudAccount and region = $region and started = $started order by part`,
    { account, kind, cloudAccount, region, started: BigInt(started) },
    { started: BIGINT },
  );
  return result.getRows().map(([number]) => Number(number));
}

/** Removes abandoned parts of the account if it has too many, and refuses what is still too much. */
async function keepWithin(
  connection: DuckDBConnection,
  parts: readonly ReceivedPart[],
  limit: number,
): Promise<void> {
  const account = parts[0]?.account ?? '';
  const isTooMuch = async () => {
    const sum = await connection.runAndReadAll(
      `select coalesce(sum(size), 0) from ${stagedTable} where account = $account`,
      { account },
    );
    return Number(sum.getRows()[0]?.[0]) > limit;
  };
  if (!(await isTooMuch())) return;
  const newest = Math.max(...parts.map(({ id }) => id.started));
  await connection.run(
    `delete from ${stagedTable} where account = $account and started < $before`,
    { account, before: BigInt(newest - longestCollection) },
    { before: BIGINT },
  );
  if (await isTooMuch())
    throw new Refusal(
      'CONFLICT',
      `The account has more than ${Math.round(limit / 1024 ** 2)} MB of resources in snapshots that are not finished: finish them, or wait a day until they are removed.`,
    );
}
