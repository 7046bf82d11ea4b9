import { BIGINT, BOOLEAN, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { ScopePositions } from '../../evaluation-history.ts';
import type { CollectionAttempt } from '../../snapshot.ts';
import { attemptsTable, scopeColumns, scopesTable, versionsTable } from './inventory-tables.ts';
import { RowInsert } from './row-insert.ts';
import { textColumns } from './text-columns.ts';

const insert = new RowInsert<CollectionAttempt>(attemptsTable, [
  // Without a position, before every snapshot to come.
  ['id', BIGINT, ({ position = 0 }) => BigInt(position)],
  ['account', VARCHAR, ({ account }) => account],
  ['kind', VARCHAR, ({ kind }) => kind],
  ['cloud_account', VARCHAR, ({ cloudAccount }) => cloudAccount],
  ['region', VARCHAR, ({ region }) => region],
  ['started', BIGINT, ({ started }) => BigInt(started)],
  ['ended', BIGINT, ({ ended }) => BigInt(ended)],
  ['status', VARCHAR, ({ status }) => status],
  ['reason', VARCHAR, ({ reason }) => reason],
  ['resources', BIGINT, ({ resources }) => BigInt(resources)],
  ['unread', VARCHAR, ({ unread }) => (unread.length > 0 ? JSON.stringify(unread) : null)],
  ['is_complete', BOOLEAN, ({ isComplete }) => isComplete],
]);

/** Inserts attempts of a backup. */
export function insertAttempts(
  connection: DuckDBConnection,
  attempts: readonly CollectionAttempt[],
): Promise<void> {
  return insert.run(connection, attempts, ({ unread }) => 200 * (1 + unread.length));
}

/** Inserts positions of a backup; `restoreScopes` completes the rows. */
export async function insertPositions(
  connection: DuckDBConnection,
  positions: readonly ScopePositions[],
): Promise<void> {
  const { columns, values } = textColumns(positions, {
    account: ['varchar', ({ account }) => account],
    kind: ['varchar', ({ kind }) => kind],
    cloud_account: ['varchar', ({ cloudAccount }) => cloudAccount],
    region: ['varchar', ({ region }) => region],
    changed: ['bigint', ({ changed }) => changed],
    status_changed: ['bigint', ({ statusChanged }) => statusChanged],
  });
  await connection.run(
    `insert into ${scopesTable} (${scopeColumns}, tried_started, tried_ended, status, reason, resources, changed,
        status_changed)
      select ${scopeColumns}, 0, 0, '', '', 0, changed, status_changed from (select ${columns})`,
    values,
  );
}

/**
 * Derives the state of each scope from the attempts. Backups of earlier releases have none: there, from the versions, and
 * `last` is the position of every scope, so that all are evaluated once.
 */
export async function restoreScopes(connection: DuckDBConnection, last: number): Promise<void> {
  await connection.run(`insert into ${attemptsTable}
    select 0, ${scopeColumns}, max(seen_started), max(seen_ended),
      case when count(*) filter (until is null) > 0 then 'collected' else 'empty' end, '',
      count(*) filter (until is null), null, true
    from ${versionsTable} anti join ${attemptsTable} using (${scopeColumns}) group by ${scopeColumns}`);
  await connection.run(`create or replace temp table positions as
    select ${scopeColumns}, max(changed) as changed, max(status_changed) as status_changed
    from ${scopesTable} group by ${scopeColumns}`);
  await connection.run(`delete from ${scopesTable}`);
  await connection.run(
    `insert into ${scopesTable}
      select s.*, coalesce(p.changed, $last), coalesce(p.status_changed, $last) from (
        select ${scopeColumns}, max(started) filter (is_complete), max(ended) filter (is_complete), max(started),
          max(ended), arg_max(status, started), arg_max(reason, started), arg_max(resources, started),
          nullif(arg_max(coalesce(unread, ''), started), ''), null, null
        from ${attemptsTable} group by ${scopeColumns}) s
      left join positions p using (${scopeColumns})`,
    { last: BigInt(last) },
    { last: BIGINT },
  );
  await connection.run('drop table positions');
  await connection.run(
    `update ${versionsTable} set seen_started = null, seen_ended = null where until is null`,
  );
}
