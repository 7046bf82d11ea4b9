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

/** Says, within the transaction of a restore, which replacement it is about. */
export type Mark = (tx: ControlTransaction) => Promise<unknown>;

/** The one way to the store: opened when it is first needed, and anew when a restore puts other records in place. */
export class StoreAccess {
  readonly #deps: StoreDeps;
  readonly #door = new MaintenanceLock('A backup is being restored: try again in a few seconds.');
  #opened: Promise<TelemetryStore> | undefined;
  #isInUse = false;

  private constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  /** The engine takes a third of a second and fifty megabytes, so a server that has no telemetry yet goes without. */
  static async open(deps: StoreDeps): Promise<StoreAccess> {
    createDataDirectory(deps.directory);
    const access = new StoreAccess(deps);
    if (readdirSync(deps.directory).length > 0) await access.#store();
    return access;
  }

  use<Result>(work: (store: TelemetryStore) => Promise<Result>): Promise<Result> {
    return this.#door.pass(async () => work(await this.#store()));
  }

  /** Undefined when there was nothing to keep or to search so far; never because the store is being opened anew. */
  async opened(): Promise<TelemetryStore | undefined> {
    return this.#isInUse ? this.#store() : undefined;
  }

  async replacement(): Promise<ReplacementStore> {
    return (await this.#store()).replacement(newSortableId(this.#deps.clock.now()));
  }

  /**
   * Puts a replacement that is ready in place together with what the control store commits. Nobody searches or stores in between; a
   * kill is made good when the store is opened the next time.
   */
  swapIn<Result>(replacement: ReplacementStore, commit: (mark: Mark) => Promise<Result>): Promise<Result> {
    const row = { id: replacement.id, created_at: this.#deps.clock.now() };
    return this.#door.shutDuring(async () => {
      try {
        return await commit((tx) => tx.insertInto('restores').values(row).execute());
      } finally {
        if (await this.#isCommittedAfterAll(replacement.id)) await this.#reopen();
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
      // The next one tries again: a disk that was full may have room by then.
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
    // At once: whatever fails now, nobody meets the old records again. Who asks meanwhile waits for the new ones.
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

  /** A control store that went away during the commit has to come back before anyone knows. */
  async #isCommittedAfterAll(restore: string): Promise<boolean> {
    for (;;) {
      try {
        return await this.#isCommitted(restore);
      } catch {
        await setTimeout(1_000);
      }
    }
  }
}
