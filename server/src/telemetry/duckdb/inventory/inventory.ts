import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BIGINT, type DuckDBConnection } from '@duckdb/node-api';
import { Refusal } from '../../../platform/errors.ts';
import { FairQueue } from '../../../platform/fair-queue.ts';
import { DamagedDaysError } from '../../damaged-days.ts';
import type { SnapshotEffect, SnapshotEnd, SnapshotId, SnapshotPart } from '../../snapshot.ts';
import { attachSql, type Engine } from '../engine/engine.ts';
import { systemTenant } from '../engine/statements.ts';
import { makeFile } from '../segments/segments.ts';
import { restoreScopes } from './attempts.ts';
import { type FinishedSnapshot, type FinishResult, finishSnapshots } from './finished-snapshots.ts';
import {
  attemptsTable,
  inventoryName,
  prepareTables,
  sameScope,
  scopesTable,
  stagedTable,
  versionsTable,
} from './inventory-tables.ts';
import { lengthOf, PartQueue } from './part-queue.ts';
import { evaluatedPoliciesTable, postureDeletions, postureTables } from './posture-tables.ts';
import { stagedNumbers, stageParts } from './staged-parts.ts';

/** In the days directory, so that a restore swaps both together. */
const fileName = 'inventory.duckdb';

/**
 * Bytes of the write-ahead log after which the file is written: until then the engine keeps the rows in memory, as they
 * came. Its own threshold is for batches of hosts, which must not wait.
 */
const maxLog = 16 * 1024 * 1024;

/** Resources in a unit of the file: a checkpoint writes the last one again, with all its configurations. */
const rowGroup = 2_048;

/** Snapshots that share a transaction, and characters of their parts. */
const finishedAtOnce = { snapshots: 256, characters: 4 * 1024 * 1024 };

interface Finishing {
  readonly snapshot: FinishedSnapshot;
  resolve(result: FinishResult): void;
  reject(error: unknown): void;
}

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
  readonly #parts = new PartQueue((account, next) =>
    this.#queued(account, async () => {
      if (!this.#exists) await this.attach();
      await next((parts) =>
        this.#write(account, (connection) => inTransaction(connection, () => stageParts(connection, parts))),
      );
      await this.shortenLog();
    }),
  );
  #finished: Finishing[] = [];
  #exists = false;
  /** The position of the last change of each kind, by account. */
  readonly #changes = new Map<string, Map<string, number>>();
  /** The position of the last new resource since the start, by account. */
  readonly #additions = new Map<string, number>();
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

  /** The position of the last change of each kind, in resources or in what is known of them. */
  changes(account: string): ReadonlyMap<string, number> {
    return this.#changes.get(account) ?? new Map();
  }

  /** The position of the last resource since the start that was not there before; 0 if there is none. */
  lastAddition(account: string): number {
    return this.#additions.get(account) ?? 0;
  }

  /** Bytes on disk. */
  get bytes(): number {
    return sizeOf(this.#path) + this.#logBytes;
  }

  get #logBytes(): number {
    return sizeOf(`${this.#path}.wal`);
  }

  /** If it fails, because of a reader or a full disk, a later write tries again. */
  async shortenLog(): Promise<void> {
    if (this.#logBytes > maxLog) await this.checkpoint().catch(() => undefined);
  }

  /** Stores a part of a snapshot; durable when it resolves, with the keys of resources that must be sent as a whole. */
  stageResources(account: string, id: SnapshotId, part: SnapshotPart): Promise<readonly string[]> {
    return this.#parts.add({ account, id, part });
  }

  /** The numbers of the parts of a snapshot that are stored. */
  async stagedParts(account: string, id: SnapshotId): Promise<number[]> {
    if (!this.#exists) return [];
    return this.#write(account, (connection) => stagedNumbers(connection, account, id));
  }

  /**
   * Makes a snapshot visible; durable when it resolves. Resources it lacks end at its start. A snapshot that is not newer
   * than the last of its scope is ignored.
   */
  async finishSnapshot(account: string, id: SnapshotId, end: SnapshotEnd): Promise<SnapshotEffect> {
    const result = await new Promise<FinishResult>((resolve, reject) => {
      this.#finished.push({ snapshot: { account, id, end }, resolve, reject });
      if (this.#finished.length === 1)
        void this.#queued(systemTenant, () => this.#finishAll()).catch(() => {});
    });
    if (result instanceof Refusal) throw result;
    return result;
  }

  /** A collection ends thousands of snapshots, most of them small: all that wait share a transaction. */
  async #finishAll(): Promise<void> {
    const some = distinctScopes(this.#finished);
    this.#finished = this.#finished.filter((one) => !some.includes(one));
    if (this.#finished.length > 0) void this.#queued(systemTenant, () => this.#finishAll()).catch(() => {});
    await this.#finishTogether(some);
  }

  async #finishTogether(some: readonly Finishing[]): Promise<void> {
    try {
      if (!this.#exists) await this.attach();
      const number = this.lastNumber + 1;
      const { results, last, withNew } = await this.#write(systemTenant, (connection) =>
        inTransaction(connection, () =>
          finishSnapshots(
            connection,
            some.map(({ snapshot }) => snapshot),
            number,
          ),
        ),
      );
      this.lastNumber = last;
      for (const account of withNew) this.#additions.set(account, last);
      await this.#noteChanges(number);
      for (const [at, { resolve }] of some.entries()) resolve(results[at] as FinishResult);
      await this.shortenLog();
    } catch (error) {
      // A part of one of them is refused: the others are not to blame.
      if (error instanceof Refusal && some.length > 1)
        for (const one of some) await this.#finishTogether([one]);
      else for (const { reject } of some) reject(error);
    }
  }

  /** Writes rows of a backup, whose last position is given, into an inventory that nothing else writes to. */
  load(write: (connection: DuckDBConnection) => Promise<unknown>, last = 0): Promise<void> {
    return this.#queued(systemTenant, async () => {
      if (!this.#exists) await this.attach();
      await this.#write(systemTenant, write);
      this.lastNumber = Math.max(this.lastNumber, last);
    });
  }

  /** Called after loading: sets the state of each scope. */
  async loaded(): Promise<void> {
    if (!this.#exists) return;
    await this.#engine.use((connection) => restoreScopes(connection, this.lastNumber));
    await this.#noteChanges(0);
  }

  async deleteAccount(account: string): Promise<void> {
    if (!this.#exists) return;
    await this.#queued(systemTenant, () =>
      this.#write(systemTenant, async (connection) => {
        await inTransaction(connection, async () => {
          for (const table of [versionsTable, scopesTable, attemptsTable, stagedTable, ...postureTables])
            await connection.run(`delete from ${table} where account = $account`, { account });
        });
      }),
    );
    this.#changes.delete(account);
    this.#additions.delete(account);
  }

  /** Removes versions that ended before the instant, older attempts but the last of each scope, and old parts. */
  async deleteBefore(instant: number): Promise<void> {
    if (!this.#exists) return;
    await this.#queued(systemTenant, () =>
      this.#write(systemTenant, (connection) =>
        inTransaction(connection, async () => {
          const [values, types] = [{ instant: BigInt(instant) }, { instant: BIGINT }];
          await connection.run(`delete from ${versionsTable} where until <= $instant`, values, types);
          await connection.run(
            `delete from ${attemptsTable} a where started < $instant and not exists
              (select 1 from ${scopesTable} c where ${sameScope('a', 'c')}
                and a.started in (c.started, c.tried_started))`,
            values,
            types,
          );
          await connection.run(`delete from ${stagedTable} where started < $instant`, values, types);
          for (const deletion of postureDeletions) await connection.run(deletion, values, types);
        }),
      ),
    );
  }

  /** Attaches or creates the file; also reattaches it after an engine failure. */
  async attach(): Promise<void> {
    await this.#engine.use(async (connection) => {
      await connection.run(`detach database if exists ${inventoryName}`);
      if (!existsSync(this.#path)) await makeFile(connection, this.#path, 'unfinished inventory');
      await connection.run(attachSql(this.#path, inventoryName, rowGroup));
      await prepareTables(connection);
      const last = await connection.runAndReadAll(
        // The versions with the last position may be those of a deleted account, but no evaluation may cover later ones.
        `select greatest((select coalesce(max(greatest(id, coalesce(closed, 0))), 0) from ${versionsTable}),
          (select coalesce(max(id), 0) from ${attemptsTable}), (select coalesce(max(changed), 0) from ${scopesTable}),
          (select coalesce(max(covers), 0) from ${evaluatedPoliciesTable}))`,
      );
      this.lastNumber = Number(last.getRows()[0]?.[0]);
    });
    this.#exists = true;
    this.#changes.clear();
    await this.#noteChanges(0);
  }

  /** Changes at or after a position. Scopes of earlier releases have none: they count as changed. */
  async #noteChanges(from: number): Promise<void> {
    const changed = await this.#engine.use((connection) =>
      connection.runAndReadAll(
        `select account, kind, max(coalesce(changed, $last)) from ${scopesTable}
          where coalesce(changed, $from) >= $from group by account, kind`,
        { from: BigInt(from), last: BigInt(this.lastNumber) },
        { from: BIGINT, last: BIGINT },
      ),
    );
    for (const [account, kind, position] of changed.getRows()) {
      const kinds = this.#changes.get(String(account)) ?? new Map<string, number>();
      this.#changes.set(String(account), kinds.set(String(kind), Number(position)));
    }
  }

  async checkpoint(): Promise<void> {
    if (this.#exists)
      await this.#engine.useSparingly((connection) => connection.run(`checkpoint ${inventoryName}`));
  }

  /** Resolves when all writes have ended. */
  async idle(): Promise<void> {
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  #write<Result>(account: string, work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
    return this.#statements.run(account, () => this.#engine.useSparingly(work));
  }

  #queued<Result>(account: string, work: () => Promise<Result>): Promise<Result> {
    const writing = this.#writers.run(account, work).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
    return writing;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function inTransaction<Result>(
  connection: DuckDBConnection,
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.run('begin');
  const result = await work();
  await connection.run('commit');
  return result;
}

/** At most one snapshot of each scope, so that one transaction applies all of them; round robin by account. */
function distinctScopes(all: readonly Finishing[]): Finishing[] {
  const byScope = new Map<string, { readonly finishing: Finishing; readonly place: number }>();
  const places = new Map<string, number>();
  for (const finishing of all) {
    const { account, id } = finishing.snapshot;
    const scope = JSON.stringify([account, id.kind, id.cloudAccount, id.region]);
    if (byScope.has(scope)) continue;
    const place = places.get(account) ?? 0;
    places.set(account, place + 1);
    byScope.set(scope, { finishing, place });
  }
  const ordered = [...byScope.values()].sort((a, b) => a.place - b.place);
  let characters = 0;
  const full = ordered.findIndex(({ finishing }, at) => {
    characters += lengthOf(finishing.snapshot.end.part);
    return at > 0 && (at === finishedAtOnce.snapshots || characters > finishedAtOnce.characters);
  });
  return ordered.slice(0, full === -1 ? undefined : full).map(({ finishing }) => finishing);
}
