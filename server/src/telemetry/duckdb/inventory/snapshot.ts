import { createHash } from 'node:crypto';
import { BIGINT, type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Resource, ResourceSnapshot, SnapshotEffect } from '../../resource.ts';
import { facts, scopesTable, versionsTable } from './inventory-sql.ts';
import { insertVersions } from './versions.ts';

const ofScope = 'account = $account and kind = $kind and cloud_account = $cloudAccount';

/**
 * Opens versions of what is new or other than before and closes those of what is missing, all in one transaction. `number` is
 * that of the snapshot, and those after it are of the versions.
 */
export async function applySnapshot(
  connection: DuckDBConnection,
  { account, kind, cloudAccount, started, ended, resources }: ResourceSnapshot,
  number: number,
): Promise<SnapshotEffect> {
  const scope = { account, kind, cloudAccount };
  await connection.run('begin');
  const last = await connection.runAndReadAll(
    `select started, ended from ${scopesTable} where ${ofScope}`,
    scope,
  );
  const [seen] = last.getRows();
  if (seen && Number(seen[0]) >= started) {
    await connection.run('commit');
    return { opened: 0, closed: 0 };
  }
  const present = new Map(resources.map((resource) => [resource.key, resource]));
  const found = {
    keys: listValue([...present.keys()]),
    digests: listValue([...present.values()].map(digestOf)),
  };
  const lists = { keys: LIST(VARCHAR), digests: LIST(VARCHAR) };
  const numbers = { started: BigInt(started), ended: BigInt(ended), number: BigInt(number) };
  const instants = { started: BIGINT, ended: BIGINT };
  const { rowsChanged: closed } = await connection.run(
    `update ${versionsTable} set until = $started, closed = $number, seen_started = $seenStarted, seen_ended = $seenEnded
      where ${ofScope} and until is null
        and (key, digest) not in (select (unnest($keys), unnest($digests)))`,
    {
      ...{ ...scope, ...found, started: numbers.started, number: numbers.number },
      ...{ seenStarted: seen?.[0] ?? numbers.started, seenEnded: seen?.[1] ?? numbers.ended },
    },
    { ...lists, started: BIGINT, number: BIGINT, seenStarted: BIGINT, seenEnded: BIGINT },
  );
  const fresh = await connection.runAndReadAll(
    `select key from (select unnest($keys) as key) anti join
      (select key from ${versionsTable} where ${ofScope} and until is null) using (key)`,
    { ...scope, keys: found.keys },
    { keys: lists.keys },
  );
  const opened = fresh.getRows().map(([key]) => present.get(String(key)) as Resource);
  await insertVersions(
    connection,
    opened.map((resource, at) => ({
      ...{ ...resource, ...scope, id: number + 1 + at, digest: digestOf(resource), since: started },
    })),
  );
  await connection.run(`delete from ${scopesTable} where ${ofScope}`, scope);
  await connection.run(
    `insert into ${scopesTable} values ($account, $kind, $cloudAccount, $started, $ended)`,
    { ...scope, started: numbers.started, ended: numbers.ended },
    instants,
  );
  await connection.run('commit');
  return { opened: opened.length, closed };
}

/** The same for what is the same, so that configurations need not be read to be compared. */
export function digestOf({
  facts: known,
  config,
  tags,
}: Pick<Resource, 'facts' | 'config' | 'tags'>): string {
  // Only those that are there, so that one more that can be known changes nothing.
  const there = facts.filter((fact) => known[fact] !== undefined).map((fact) => [fact, known[fact]]);
  const all = [there, config, tags ?? null];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64');
}
