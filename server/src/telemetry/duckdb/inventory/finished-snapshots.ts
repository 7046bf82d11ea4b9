import { BIGINT, type DuckDBConnection, LIST, listValue } from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import { resourceFacts } from '../../resource.ts';
import { maxDigested } from '../../resource-digest.ts';
import type { SnapshotEffect, SnapshotEnd, SnapshotId } from '../../snapshot.ts';
import {
  attemptsTable,
  factColumns,
  facts,
  sameScope,
  scopeColumns,
  scopeColumnsOf,
  scopesTable,
  stagedTable,
  versionsTable,
} from './inventory-tables.ts';
import { refuseUnreadable } from './row-insert.ts';
import { type ReceivedPart, stageParts } from './staged-parts.ts';
import { createTextTable, snapshotColumns } from './text-columns.ts';

/** A snapshot whose parts are all staged, or that failed. */
export interface FinishedSnapshot {
  readonly account: string;
  readonly id: SnapshotId;
  readonly end: SnapshotEnd;
}

export type FinishResult = SnapshotEffect | Refusal;

/** Problems of single resources that are listed; the rest is counted. */
const maxUnread = 1_000;
const unchanged: SnapshotEffect = { opened: 0, closed: 0 };

/** The snapshots of a transaction as a table: a few statements apply all of them. */
const [snapshotsTable, digestsTable, effectsTable] = [
  'finished_snapshots',
  'snapshot_digests',
  'snapshot_effects',
];
const staged = `${stagedTable} t join ${snapshotsTable} s on ${sameScope('t', 's')} and t.started = s.started
  and s.digest is null`;
/** The values of the columns of facts. */
const factValues = facts.map(
  (fact, at) => `f[${at + 1}]${resourceFacts[fact] === 'Json' ? '::json::varchar' : ''}`,
);
/** Whether an attempt had the same result as the last one. Empty and collected scopes differ by their resources only. */
const sameStatus = `l.account is not null and l.unread is not distinct from a.unread and l.reason = a.reason
  and (l.status = a.status or (l.status in ('collected', 'empty') and a.status in ('collected', 'empty')))`;
const factPaths = facts.map((fact) => `'$.${fact}'`).join(', ');

/**
 * In one transaction, opens versions for new or changed resources and closes those of missing ones, and notes the attempt.
 * `number` is the snapshots' position; the versions get the following ones. Returns the results, the last position, and the
 * accounts that have new resources.
 */
export async function finishSnapshots(
  connection: DuckDBConnection,
  snapshots: readonly FinishedSnapshot[],
  number: number,
): Promise<{
  readonly results: readonly FinishResult[];
  readonly last: number;
  readonly withNew: readonly string[];
}> {
  for (const parts of onlyParts(snapshots)) await stageParts(connection, parts);
  await createSnapshots(connection, snapshots);
  const results = new Map<number, FinishResult>();
  for (const [n, result] of await refused(connection)) results.set(n, result);
  const exceptions = [...results.keys()];
  await connection.run(
    `delete from ${snapshotsTable} where n in (select unnest($exceptions))`,
    { exceptions: listValue(exceptions.map(BigInt)) },
    { exceptions: LIST(BIGINT) },
  );
  const last = await applyAll(connection, number);
  const changed = await effects(connection, number, last);
  for (const { n, effect } of changed) results.set(n, effect);
  await noteAttempts(connection, number, last);
  await connection.run(`drop table ${snapshotsTable}`);
  const withNew = changed.flatMap(({ n, hasNew }) => (hasNew ? [snapshots[n]?.account ?? ''] : []));
  return { results: snapshots.map((_, n) => results.get(n) ?? unchanged), last, withNew };
}

/** Parts that were not staged before, by account: of a transaction's own rows only what stays is written to the log. */
function onlyParts(snapshots: readonly FinishedSnapshot[]): Iterable<ReceivedPart[]> {
  const byAccount = new Map<string, ReceivedPart[]>();
  for (const { account, id, end } of snapshots)
    if (end.part)
      byAccount.set(account, [...(byAccount.get(account) ?? []), { account, id, part: end.part }]);
  return byAccount.values();
}

function createSnapshots(
  connection: DuckDBConnection,
  snapshots: readonly FinishedSnapshot[],
): Promise<void> {
  return createTextTable(connection, snapshotsTable, snapshots, {
    ...snapshotColumns,
    ended: ['bigint', ({ end }) => end.ended],
    status: ['varchar', ({ end }) => end.status],
    reason: ['varchar', ({ end }) => end.reason],
    parts: ['bigint', ({ end }) => end.parts],
    digest: ['varchar', ({ end }) => end.digest],
    is_complete: ['boolean', ({ end }) => replacesResources(end)],
  });
}

/** A problem without parts says nothing about the resources, so that they stay. */
function replacesResources({ status, parts }: SnapshotEnd): boolean {
  return parts > 0 || status === 'collected' || status === 'empty';
}

/** Snapshots that are not newer than the last attempt, or of which something is missing. */
async function refused(connection: DuckDBConnection): Promise<[number, FinishResult][]> {
  const outdated = await connection.runAndReadAll(
    `select s.n from ${snapshotsTable} s join ${scopesTable} c on ${sameScope('s', 'c')}
      where c.tried_started >= s.started`,
  );
  const incomplete = await connection.runAndReadAll(`select s.n, s.parts, count(distinct t.part)
    from ${snapshotsTable} s left join ${stagedTable} t on ${sameScope('s', 't')} and t.started = s.started
    where s.parts > 0 group by all having count(distinct t.part) <> s.parts`);
  // Another snapshot of the scope was finished since these resources were found unchanged.
  const overtaken = await connection.runAndReadAll(`select distinct s.n from ${staged}
    where t.digest is not null and t.config is null and not exists (select 1 from ${versionsTable} v
      where ${sameScope('v', 't')} and v.until is null and v.key = t.key and v.digest = t.digest)`);
  const different = await connection.runAndReadAll(`select s.n, c.account is null from ${snapshotsTable} s
    left join ${scopesTable} c on ${sameScope('s', 'c')}
    where s.digest is not null and c.digest is distinct from s.digest`);
  const advice = 'send the snapshot again with a new start';
  const overtakenMessage = `Another snapshot of the same scope was stored meanwhile: ${advice}.`;
  return [
    ...overtaken
      .getRows()
      .map(([n]) => [Number(n), new Refusal('CONFLICT', overtakenMessage)] as [number, FinishResult]),
    ...incomplete.getRows().map(([n, parts, found]) => {
      const message = `${found} of ${parts} parts were received: send the missing parts, then finish the snapshot.`;
      return [Number(n), new Refusal('CONFLICT', message)] as [number, FinishResult];
    }),
    ...different.getRows().map(([n, isNew]) => {
      const differs = isNew === true ? 'new' : 'changed';
      return [Number(n), { ...unchanged, differs }] as [number, FinishResult];
    }),
    // Last, so that a repeated end of a stored snapshot succeeds.
    ...outdated.getRows().map(([n]) => [Number(n), unchanged] as [number, FinishResult]),
  ];
}

/** Returns the position of the last opened version. */
async function applyAll(connection: DuckDBConnection, number: number): Promise<number> {
  const position = { number: BigInt(number) };
  const type = { number: BIGINT };
  await connection.run(
    `update ${versionsTable} set until = s.started, closed = $number, seen_started = coalesce(c.started, s.started),
        seen_ended = coalesce(c.ended, s.ended)
      from ${snapshotsTable} s left join ${scopesTable} c on ${sameScope('s', 'c')}
      where ${sameScope('versions', 's')} and versions.until is null and s.is_complete and s.digest is null
        and not exists (select 1 from ${stagedTable} t where ${sameScope('t', 's')} and t.started = s.started
          and t.key = versions.key and (t.digest is null or t.digest = versions.digest))`,
    position,
    type,
  );
  const { rowsChanged } = await connection
    .run(
      `insert into ${versionsTable} (id, ${scopeColumns}, key, digest, ${factColumns.join(', ')}, config, tags, since)
      select $number + row_number() over (order by n, part, position), ${scopeColumns}, key, digest,
        ${factValues.join(', ')}, config, tags, started
      from (select s.n, t.part, t.n as position, t.* exclude (n, part),
          json_extract_string(t.facts, [${factPaths}]) as f
        from ${staged} where t.config is not null
        qualify row_number() over (partition by s.n, t.key order by t.part, t.n) = 1) u
      where not exists (select 1 from ${versionsTable} v
        where ${sameScope('v', 'u')} and v.until is null and v.key = u.key)`,
      position,
      type,
    )
    .catch(refuseUnreadable);
  return number + rowsChanged;
}

/** Counts the versions that each snapshot opened and closed. */
async function effects(
  connection: DuckDBConnection,
  number: number,
  last: number,
): Promise<{ n: number; effect: SnapshotEffect; hasNew: boolean }[]> {
  await connection.run(
    `create or replace temp table ${effectsTable} as
      select n, count(*) filter (is_open) as opened, count(*) filter (is_open and not was_there) as added,
        count(*) filter (not is_open) as closed
      from (select s.n, v.id > $number as is_open,
          bool_or(v.closed = $number) over (partition by s.n, v.key) is true as was_there
        from ${snapshotsTable} s join ${versionsTable} v on ${sameScope('s', 'v')}
        where (v.id > $number and v.id <= $last) or v.closed = $number) group by n`,
    { number: BigInt(number), last: BigInt(last) },
    { number: BIGINT, last: BIGINT },
  );
  const counted = await connection.runAndReadAll(`select n, opened, closed, added from ${effectsTable}`);
  return counted.getRows().map(([n, opened, closed, added]) => ({
    n: Number(n),
    effect: { opened: Number(opened), closed: Number(closed) },
    hasNew: Number(added) > 0,
  }));
}

async function noteAttempts(connection: DuckDBConnection, number: number, last: number): Promise<void> {
  await connection.run(
    `insert into ${attemptsTable} select $number, ${scopeColumnsOf('s')}, s.started, s.ended, s.status,
      s.reason, case when s.digest is null then count(distinct t.key) filter (t.digest is not null)
        else max(c.present) end,
      to_json(list({'key': t.key, 'status': t.problem, 'reason': t.reason} order by t.key)
        filter (t.problem is not null)[1:${maxUnread}])::varchar, s.is_complete
    from ${snapshotsTable} s left join ${stagedTable} t on ${sameScope('s', 't')} and t.started = s.started
      and s.parts > 0
    left join ${scopesTable} c on ${sameScope('s', 'c')}
    group by s.n, ${scopeColumnsOf('s')}, s.started, s.ended, s.status, s.reason, s.digest, s.is_complete`,
    { number: BigInt(number) },
    { number: BIGINT },
  );
  await createDigests(connection);
  await connection.run(`create or replace temp table last_complete as select c.* from ${scopesTable} c
    join ${snapshotsTable} s on ${sameScope('s', 'c')}`);
  await connection.run(`delete from ${scopesTable} c using ${snapshotsTable} s where ${sameScope('s', 'c')}`);
  await connection.run(
    `insert into ${scopesTable} select ${scopeColumnsOf('a')},
      case when a.is_complete then a.started else l.started end, case when a.is_complete then a.ended else l.ended end,
      a.started, a.ended, a.status, a.reason, a.resources, a.unread,
      case when s.is_complete and s.digest is null then d.digest else l.digest end,
      case when s.is_complete and s.digest is null then d.present else l.present end,
      case when e.n is null and ${sameStatus} then l.changed else $last end,
      case when ${sameStatus} then l.status_changed else $last end
    from ${attemptsTable} a join ${snapshotsTable} s on ${sameScope('s', 'a')} and s.started = a.started
    left join last_complete l on ${sameScope('l', 'a')} left join ${digestsTable} d on d.n = s.n
    left join ${effectsTable} e on e.n = s.n`,
    { last: BigInt(last) },
    { last: BIGINT },
  );
  for (const table of ['last_complete', digestsTable, effectsTable])
    await connection.run(`drop table ${table}`);
  await connection.run(
    `delete from ${stagedTable} t using ${snapshotsTable} s where ${sameScope('t', 's')} and t.started <= s.started`,
  );
}

/** The digests of the scopes that were replaced; as `snapshotDigestOf` computes them. */
async function createDigests(connection: DuckDBConnection): Promise<void> {
  await connection.run(`create or replace temp table ${digestsTable} as
    select n, count(*) as present, sha256(string_agg(item, '' order by item)) as digest
    from (select s.n, sha256(v.key) || v.digest as item
      from ${snapshotsTable} s join ${versionsTable} v on ${sameScope('s', 'v')} and v.until is null
      where s.is_complete and s.digest is null
      qualify count(*) over (partition by s.n) <= ${maxDigested}) group by n`);
}
