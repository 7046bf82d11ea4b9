import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BIGINT, type DuckDBConnection } from '@duckdb/node-api';
import { FairQueue } from '../../../platform/fair-queue.ts';
import { DamagedDaysError } from '../../damaged-days.ts';
import type { ResourceSnapshot, ResourceVersion, SnapshotEffect } from '../../resource.ts';
import { attachSql, type Engine } from '../engine/engine.ts';
import { ofService } from '../engine/statements.ts';
import { makeFile } from '../segments/segments.ts';
import {
  createScopesSql,
  createVersionsSql,
  factColumns,
  inventoryName,
  scopesTable,
  versionsTable,
} from './inventory-sql.ts';
import { applySnapshot, digestOf } from './snapshot.ts';
import { insertVersions } from './versions.ts';

/** Beside the days, so that a restore puts both in place together. */
const fileName = 'inventory.duckdb';

/**
 * The resources of all clouds, as versions that were there from one snapshot to another: what does not change is kept
 * once. There is no file until the first snapshot.
 */
export class Inventory {
  readonly #engine: Engine;
  readonly #path: string;
  /** Shared with searches, so that those who send batches are not kept waiting. */
  readonly #statements: FairQueue;
  /** One writes at a time; accounts take turns, however many snapshots one of them sends. */
  readonly #turns = new FairQueue({ noun: 'snapshot', concurrency: 1 });
  readonly #writing = new Set<Promise<unknown>>();
  #isThere = false;
  /** Of the last version or snapshot. */
  lastNumber = 0;

  private constructor(engine: Engine, path: string, statements: FairQueue) {
    this.#engine = engine;
    this.#path = path;
    this.#statements = statements;
  }

  static async open(engine: Engine, directory: string, statements: FairQueue): Promise<Inventory> {
    const inventory = new Inventory(engine, join(directory, fileName), statements);
    if (!existsSync(inventory.#path)) return inventory;
    await inventory.attach().catch((error: Error) => {
      throw new DamagedDaysError(new Map([[inventory.#path, error.message]]));
    });
    return inventory;
  }

  get path(): string {
    return this.#path;
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
    return this.#inTurn(snapshot.account, async () => {
      if (!this.#isThere) await this.attach();
      const number = this.lastNumber + 1;
      const effect = await this.#write(snapshot.account, (connection) =>
        applySnapshot(connection, snapshot, number),
      );
      this.lastNumber = number + effect.opened;
      return effect;
    });
  }

  /** Takes in versions of a backup, in the place of nothing. */
  load(versions: readonly ResourceVersion[]): Promise<void> {
    return this.#inTurn(ofService, async () => {
      if (!this.#isThere) await this.attach();
      const rows = versions.map((version, at) => ({
        ...version,
        id: this.lastNumber + 1 + at,
        digest: digestOf({ tags: undefined, ...version }),
        // It was closed by something before all that is to come.
        closed: version.until === undefined ? undefined : 0,
      }));
      await this.#write(ofService, (connection) => insertVersions(connection, rows));
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
    if (!this.#isThere) return;
    await this.#inTurn(ofService, () =>
      this.#write(ofService, async (connection) => {
        await connection.run('begin');
        for (const table of [versionsTable, scopesTable])
          await connection.run(`delete from ${table} where account = $account`, { account });
        await connection.run('commit');
      }),
    );
  }

  /** What ended before the moment. */
  async forgetBefore(instant: number): Promise<void> {
    if (!this.#isThere) return;
    await this.#inTurn(ofService, () =>
      this.#write(ofService, (connection) =>
        connection.run(
          `delete from ${versionsTable} where until <= $instant`,
          { instant: BigInt(instant) },
          { instant: BIGINT },
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
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  #write<Result>(account: string, work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#statements.run(account, () => this.#engine.use(work));
  }

  #inTurn<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    const done = this.#turns.run(account, work).finally(() => this.#writing.delete(done));
    this.#writing.add(done);
    return done;
  }
}
