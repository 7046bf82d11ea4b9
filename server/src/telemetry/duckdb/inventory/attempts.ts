import { BIGINT, BOOLEAN, type DuckDBConnection, VARCHAR } from '@duckdb/node-api';
import type { CollectionAttempt } from '../../snapshot.ts';
import { attemptsTable, scopeColumns, scopesTable, versionsTable } from './inventory-tables.ts';
import { RowInsert } from './row-insert.ts';

const insert = new RowInsert<CollectionAttempt>(attemptsTable, [
  // Before every snapshot to come.
  ['id', BIGINT, () => 0n],
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

/** Derives the state of each scope from the attempts. Backups of earlier releases have none: there, from the versions. */
export async function restoreScopes(connection: DuckDBConnection): Promise<void> {
  await connection.run(`insert into ${attemptsTable}
    select 0, ${scopeColumns}, max(seen_started), max(seen_ended),
      case when count(*) filter (until is null) > 0 then 'collected' else 'empty' end, '',
      count(*) filter (until is null), null, true
    from ${versionsTable} anti join ${attemptsTable} using (${scopeColumns}) group by ${scopeColumns}`);
  await connection.run(`insert into ${scopesTable}
    select ${scopeColumns}, max(started) filter (is_complete), max(ended) filter (is_complete), max(started),
      max(ended), arg_max(status, started), arg_max(reason, started), arg_max(resources, started),
      arg_max(coalesce(unread, ''), started), null, null, null, null
    from ${attemptsTable} group by ${scopeColumns}`);
  await connection.run(`update ${scopesTable} set unread = nullif(unread, '')`);
  await connection.run(
    `update ${versionsTable} set seen_started = null, seen_ended = null where until is null`,
  );
}
