import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BIGINT, type DuckDBConnection } from '@duckdb/node-api';
import { FairQueue } from '../../../platform/fair-queue.ts';
import { DamagedDaysError } from '../../damaged-days.ts';
import type { ResourceSnapshot, ResourceVersion, SnapshotEffect } from '../../resource.ts';
import { attachSql, type Engine } from '../engine/engine.ts';
import { systemTenant } from '../engine/statements.ts';
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

/** In the days directory, so that a restore swaps both together. */
const fileName = 'inventory.duckdb';

/**
 * The resources of all clouds as versions, each valid from one snapshot to another, so that unchanged
 * configurations are stored once. The file is created by the first snapshot.
 */
export class Inventory {
  readonly #engine: Engine;
  readonly #path: string;
  /** Shared with searches, so that ingest is not delayed. */
  readonly #statements: FairQueue;
  /** One writer at a time, fair between accounts. */
  readonly #writers = new FairQueue({ noun: 'snapshot', concurrency: 1 });
  readonly #writing = new Set<Promise<unknown>>();
  #exists = false;
  /** The id of the last version or snapshot. */
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

  get exists(): boolean {
    return this.#exists;
  }

  /** Bytes on disk. */
  get bytes(): number {
    const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return size(this.#path) + size(`${this.#path}.wal`);
  }

  /**
   * Stores a snapshot atomically; durable when it resolves. Resources it lacks end at its start. A snapshot that is
   * not newer than the last of its kind and cloud account is ignored.
   */
  record(snapshot: ResourceSnapshot): Promise<SnapshotEffect> {
    return this.#queued(snapshot.account, async () => {
      if (!this.#exists) await this.attach();
      const number = this.lastNumber + 1;
      const effect = await this.#write(snapshot.account, (connection) =>
        applySnapshot(connection, snapshot, number),
      );
      this.lastNumber = number + effect.opened;
      return effect;
    });
  }

  /** Loads versions of a backup into an empty inventory. */
  load(versions: readonly ResourceVersion[]): Promise<void> {
    return this.#queued(systemTenant, async () => {
      if (!this.#exists) await this.attach();
      const rows = versions.map((version, at) => ({
        ...version,
        id: this.lastNumber + 1 + at,
        digest: digestOf({ tags: undefined, ...version }),
        // Closed before every snapshot to come.
        closed: version.until === undefined ? undefined : 0,
      }));
      await this.#write(systemTenant, (connection) => insertVersions(connection, rows));
      this.lastNumber += rows.length;
    });
  }

  /** Called after loading: sets the last snapshot of each kind from the versions. */
  async loaded(): Promise<void> {
    if (!this.#exists) return;
    await this.#engine.use(async (connection) => {
      await connection.run(`insert into ${scopesTable} select account, kind, cloud_account, max(seen_started), max(seen_ended)
        from ${versionsTable} group by all`);
      await connection.run(
        `update ${versionsTable} set seen_started = null, seen_ended = null where until is null`,
      );
    });
  }

  async deleteAccount(account: string): Promise<void> {
    if (!this.#exists) return;
    await this.#queued(systemTenant, () =>
      this.#write(systemTenant, async (connection) => {
        await connection.run('begin');
        for (const table of [versionsTable, scopesTable])
          await connection.run(`delete from ${table} where account = $account`, { account });
        await connection.run('commit');
      }),
    );
  }

  /** Removes versions that ended before the instant. */
  async deleteBefore(instant: number): Promise<void> {
    if (!this.#exists) return;
    await this.#queued(systemTenant, () =>
      this.#write(systemTenant, (connection) =>
        connection.run(
          `delete from ${versionsTable} where until <= $instant`,
          { instant: BigInt(instant) },
          { instant: BIGINT },
        ),
      ),
    );
  }

  /** Attaches or creates the file; also reattaches it after an engine failure. */
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
    this.#exists = true;
  }

  async checkpoint(): Promise<void> {
    if (this.#exists) await this.#engine.use((connection) => connection.run(`checkpoint ${inventoryName}`));
  }

  /** Resolves when all writes have ended. */
  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  #write<Result>(account: string, work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#statements.run(account, () => this.#engine.use(work));
  }

  #queued<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    const writing = this.#writers.run(account, work).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }
}
