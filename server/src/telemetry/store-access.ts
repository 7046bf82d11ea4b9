import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { ControlStore, ControlTransaction } from '../control/store.ts';
import { createDataDirectory } from '../platform/data-directory.ts';
import { newSortableId } from '../platform/ids.ts';
import type { DuckStoreDeps } from './duckdb/duck-store.ts';
import { MaintenanceLock } from './maintenance-lock.ts';
import type { ReplacementStore, TelemetryStore } from './store.ts';

export interface StoreDeps extends Omit<DuckStoreDeps, 'isCommitted'> {
  readonly store: ControlStore;
}

/** Records the replacement's id in the transaction of a restore. */
export type MarkRestore = (tx: ControlTransaction) => Promise<unknown>;

/** Access to the store: opened on first use, and reopened after a restore. */
export class StoreAccess {
  readonly #deps: StoreDeps;
  readonly #lock = new MaintenanceLock('A backup is being restored: try again in a few seconds.');
  #opened: Promise<TelemetryStore> | undefined;
  #isInUse = false;

  private constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  /** The engine takes a third of a second and fifty megabytes, so it is not opened without telemetry. */
  static async open(deps: StoreDeps): Promise<StoreAccess> {
    createDataDirectory(deps.directory);
    const access = new StoreAccess(deps);
    if (readdirSync(deps.directory).length > 0) await access.#store();
    return access;
  }

  use<Result>(work: (store: TelemetryStore) => Promise<Result>): Promise<Result> {
    return this.#lock.runShared(async () => work(await this.#store()));
  }

  /** Undefined if nothing was stored or searched yet; never because the store is being reopened. */
  async opened(): Promise<TelemetryStore | undefined> {
    return this.#isInUse ? this.#store() : undefined;
  }

  async replacement(): Promise<ReplacementStore> {
    return (await this.#store()).replacement(newSortableId(this.#deps.clock.now()));
  }

  /**
   * Puts a completed replacement in place together with the commit of the control store. No search or write runs in
   * between; after a crash the next opening completes the swap.
   */
  swapIn<Result>(
    replacement: ReplacementStore,
    commit: (markRestore: MarkRestore) => Promise<Result>,
  ): Promise<Result> {
    const row = { id: replacement.id, created_at: this.#deps.clock.now() };
    return this.#lock.runExclusive(async () => {
      try {
        return await commit((tx) => tx.insertInto('restores').values(row).execute());
      } finally {
        if (await this.#awaitCommitState(replacement.id)) await this.#reopen();
        else await replacement.discard();
      }
    });
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }

  #store(): Promise<TelemetryStore> {
    this.#isInUse = true;
    this.#opened ??= this.#attempt(() => this.#open());
    return this.#opened;
  }

  #attempt(open: () => Promise<TelemetryStore>): Promise<TelemetryStore> {
    return open().catch((error: unknown) => {
      // The next call retries: a full disk may have been cleared.
      this.#opened = undefined;
      throw error;
    });
  }

  async #open(): Promise<TelemetryStore> {
    const { openDuckStore } = await import('./duckdb/duck-store.ts');
    return openDuckStore({ ...this.#deps, isCommitted: (id) => this.#isCommitted(id) });
  }

  async #reopen(): Promise<void> {
    const replaced = this.#opened;
    // Replaced immediately, so that the old records are never served again. Concurrent callers wait for the new
    // store.
    this.#opened = this.#attempt(async () => {
      await (await replaced)?.close();
      return this.#open();
    });
    await this.#opened;
  }

  async #isCommitted(restore: string): Promise<boolean> {
    const query = this.#deps.store.read.selectFrom('restores').select('id').where('id', '=', restore);
    return (await query.executeTakeFirst()) !== undefined;
  }

  /** If the control store became unavailable during the commit, waits until it is available again. */
  async #awaitCommitState(restore: string): Promise<boolean> {
    for (;;) {
      try {
        return await this.#isCommitted(restore);
      } catch {
        await setTimeout(1_000);
      }
    }
  }
}
