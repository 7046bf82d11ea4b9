import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BIGINT, type DuckDBConnection, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import { Refusal } from '../../platform/errors.ts';
import { DamagedDaysError } from '../damaged-days.ts';
import type { Resource, ResourceSnapshot, ResourceVersion, SnapshotEffect } from '../resource.ts';
import { attachSql, type Engine } from './engine.ts';
import { insertVersions } from './inventory-load.ts';
import {
  createScopesSql,
  createVersionsSql,
  factColumns,
  facts,
  inventoryName,
  scopesTable,
  versionsTable,
} from './inventory-sql.ts';
import { makeFile } from './segments.ts';

/** Beside the days, so that a restore puts both in place together. */
const fileName = 'inventory.duckdb';
const ofScope = 'account = $account and kind = $kind and cloud_account = $cloudAccount';

/**
 * The resources of all clouds, as versions that were there from one snapshot to another: what does not change is kept
 * once. There is no file until the first snapshot.
 */
export class Inventory {
  readonly #engine: Engine;
  readonly #path: string;
  #turn: Promise<unknown> = Promise.resolve();
  #isThere = false;
  /** Of the last version or snapshot. */
  lastNumber = 0;

  private constructor(engine: Engine, path: string) {
    this.#engine = engine;
    this.#path = path;
  }

  static async open(engine: Engine, directory: string): Promise<Inventory> {
    const inventory = new Inventory(engine, join(directory, fileName));
    if (!existsSync(inventory.#path)) return inventory;
    await inventory.attach().catch((error: Error) => {
      throw new DamagedDaysError(new Map([[inventory.#path, error.message]]));
    });
    return inventory;
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  /** Bytes on disk. */
  get bytes(): number {
    const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return size(this.#path) + size(`${this.#path}.wal`);
  }

  /**
   * Takes in a snapshot, whole or not at all, and durable when it resolves. What it does not have is not there any more
   * from its start on. One that is not newer than the last of its kind and cloud account changes nothing.
   */
  record(snapshot: ResourceSnapshot): Promise<SnapshotEffect> {
    return this.#inTurn(async () => {
      if (!this.#isThere) await this.attach();
      const number = this.lastNumber + 1;
      const effect = await this.#engine.use((connection) => apply(connection, snapshot, number));
      this.lastNumber = number + effect.opened;
      return effect;
    });
  }

  /** Takes in versions of a backup, in the place of nothing. */
  load(versions: readonly ResourceVersion[]): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#isThere) await this.attach();
      const rows = versions.map((version, at) => ({
        ...version,
        id: this.lastNumber + 1 + at,
        digest: digestOf({ tags: undefined, ...version }),
        // It was closed by something before all that is to come.
        closed: version.until === undefined ? undefined : 0,
      }));
      await this.#engine.use((connection) => insertVersions(connection, rows).catch(refuseUnreadable));
      this.lastNumber += rows.length;
    });
  }

  /** After all were loaded: what is there now was seen when its kind was last looked for. */
  async loaded(): Promise<void> {
    if (!this.#isThere) return;
    await this.#engine.use(async (connection) => {
      await connection.run(`insert into ${scopesTable} select account, kind, cloud_account, max(seen_started), max(seen_ended)
        from ${versionsTable} group by all`);
      await connection.run(
        `update ${versionsTable} set seen_started = null, seen_ended = null where until is null`,
      );
    });
  }

  async forgetAccount(account: string): Promise<void> {
    await this.#delete('account = $value', account);
  }

  /** What ended before the moment. */
  async forgetBefore(moment: number): Promise<void> {
    if (!this.#isThere) return;
    await this.#inTurn(() =>
      this.#engine.use((connection) =>
        connection.run(
          `delete from ${versionsTable} where until <= $moment`,
          { moment: BigInt(moment) },
          { moment: BIGINT },
        ),
      ),
    );
  }

  /** Opens the file, or makes it; also after the engine gave it up. */
  async attach(): Promise<void> {
    await this.#engine.use(async (connection) => {
      await connection.run(`detach database if exists ${inventoryName}`);
      if (!existsSync(this.#path)) await makeFile(connection, this.#path, 'unfinished inventory');
      await connection.run(attachSql(this.#path, inventoryName));
      await connection.run(createVersionsSql);
      for (const column of factColumns)
        await connection.run(`alter table ${versionsTable} add column if not exists ${column} varchar`);
      await connection.run(createScopesSql);
      const last = await connection.runAndReadAll(
        `select coalesce(max(greatest(id, coalesce(closed, 0))), 0) from ${versionsTable}`,
      );
      this.lastNumber = Number(last.getRows()[0]?.[0]);
    });
    this.#isThere = true;
  }

  /** Has the file take up what waits beside it. */
  async takeUp(): Promise<void> {
    if (this.#isThere) await this.#engine.use((connection) => connection.run(`checkpoint ${inventoryName}`));
  }

  /** Resolves when nothing is written any more. */
  async idle(): Promise<void> {
    await this.#turn;
  }

  async #delete(condition: string, value: string): Promise<void> {
    if (!this.#isThere) return;
    await this.#inTurn(() =>
      this.#engine.use(async (connection) => {
        await connection.run('begin');
        for (const table of [versionsTable, scopesTable])
          await connection.run(`delete from ${table} where ${condition}`, { value });
        await connection.run('commit');
      }),
    );
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

async function apply(
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
  const moments = { started: BIGINT, ended: BIGINT };
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
  ).catch(refuseUnreadable);
  await connection.run(`delete from ${scopesTable} where ${ofScope}`, scope);
  await connection.run(
    `insert into ${scopesTable} values ($account, $kind, $cloudAccount, $started, $ended)`,
    { ...scope, started: numbers.started, ended: numbers.ended },
    moments,
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
  const all = [...facts.map((fact) => known[fact] ?? null), config, tags ?? null];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64');
}

function refuseUnreadable(error: unknown): never {
  if (!/^(Conversion|Invalid Input) Error/.test(String((error as Error).message))) throw error;
  throw new Refusal('INVALID_INPUT', 'The configuration, the tags or the keys of a resource are not JSON.');
}
