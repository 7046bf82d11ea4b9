import { createHash } from 'node:crypto';
import { BIGINT, type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Resource, ResourceSnapshot, SnapshotEffect } from '../../resource.ts';
import { facts, scopesTable, versionsTable } from './inventory-sql.ts';
import { insertVersions } from './versions.ts';

const scopeCondition = 'account = $account and kind = $kind and cloud_account = $cloudAccount';

/**
 * In one transaction, opens versions for new or changed resources and closes those of missing ones. `number` is the
 * snapshot's id; the versions get the following ids.
 */
export async function applySnapshot(
  connection: DuckDBConnection,
  { account, kind, cloudAccount, started, ended, resources }: ResourceSnapshot,
  number: number,
): Promise<SnapshotEffect> {
  const scope = { account, kind, cloudAccount };
  await connection.run('begin');
  const last = await connection.runAndReadAll(
    `select started, ended from ${scopesTable} where ${scopeCondition}`,
    scope,
  );
  const [lastSeen] = last.getRows();
  if (lastSeen && Number(lastSeen[0]) >= started) {
    await connection.run('commit');
    return { opened: 0, closed: 0 };
  }
  const present = new Map(resources.map((resource) => [resource.key, resource]));
  const current = {
    keys: listValue([...present.keys()]),
    digests: listValue([...present.values()].map(digestOf)),
  };
  const lists = { keys: LIST(VARCHAR), digests: LIST(VARCHAR) };
  const numbers = { started: BigInt(started), ended: BigInt(ended), number: BigInt(number) };
  const instants = { started: BIGINT, ended: BIGINT };
  const { rowsChanged: closed } = await connection.run(
    `update ${versionsTable} set until = $started, closed = $number, seen_started = $seenStarted, seen_ended = $seenEnded
      where ${scopeCondition} and until is null
        and (key, digest) not in (select (unnest($keys), unnest($digests)))`,
    {
      ...{ ...scope, ...current, started: numbers.started, number: numbers.number },
      ...{ seenStarted: lastSeen?.[0] ?? numbers.started, seenEnded: lastSeen?.[1] ?? numbers.ended },
    },
    { ...lists, started: BIGINT, number: BIGINT, seenStarted: BIGINT, seenEnded: BIGINT },
  );
  const added = await connection.runAndReadAll(
    `select key from (select unnest($keys) as key) anti join
      (select key from ${versionsTable} where ${scopeCondition} and until is null) using (key)`,
    { ...scope, keys: current.keys },
    { keys: lists.keys },
  );
  const opened = added.getRows().map(([key]) => present.get(String(key)) as Resource);
  await insertVersions(
    connection,
    opened.map((resource, at) => ({
      ...{ ...resource, ...scope, id: number + 1 + at, digest: digestOf(resource), since: started },
    })),
  );
  await connection.run(`delete from ${scopesTable} where ${scopeCondition}`, scope);
  await connection.run(
    `insert into ${scopesTable} values ($account, $kind, $cloudAccount, $started, $ended)`,
    { ...scope, started: numbers.started, ended: numbers.ended },
    instants,
  );
  await connection.run('commit');
  return { opened: opened.length, closed };
}

/** Compares resources without reading their configurations. */
export function digestOf({
  facts: values,
  config,
  tags,
}: Pick<Resource, 'facts' | 'config' | 'tags'>): string {
  // Only known facts, so that adding a fact to the schema does not change digests.
  const known = facts.filter((fact) => values[fact] !== undefined).map((fact) => [fact, values[fact]]);
  const all = [known, config, tags ?? null];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64');
}
