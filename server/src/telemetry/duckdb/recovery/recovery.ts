import { Refusal } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log.ts';
import { diskFullReason, isInvalidated } from '../engine/disk-failure.ts';
import type { Engine } from '../engine/engine.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { versionsTable } from '../inventory/inventory-tables.ts';
import type { Segments } from '../segments/segments.ts';

/**
 * Recovers invalidated databases. DuckDB accepts no statements for a file whose checkpoint failed, and none at all
 * after a fatal error such as a failed fsync. Committed data is on disk and is reattached from there.
 */
export class Recovery {
  readonly #engine: Engine;
  readonly #segments: Segments;
  readonly #log: Log;
  readonly #inventory: Inventory;
  #running: Promise<void> | undefined;
  #isDue = false;

  constructor(engine: Engine, segments: Segments, inventory: Inventory, log: Log) {
    this.#engine = engine;
    this.#segments = segments;
    this.#inventory = inventory;
    this.#log = log;
  }

  /** Runs a search, and retries it once after recovery. */
  async search<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.ready();
    try {
      return await work().catch(async (error: unknown) => {
        if (!isInvalidated(error)) throw error;
        await this.recover();
        return work();
      });
    } catch (error) {
      if (!diskFullReason(error)) throw error;
      throw new Refusal(
        'UNAVAILABLE',
        'The disk is full and the search needs disk space: narrow the search, or ask the operator to free space.',
      );
    }
  }

  /** Resolves when all segments can be used. */
  async ready(): Promise<void> {
    if (this.#isDue) await this.recover();
  }

  recover(): Promise<void> {
    this.#isDue = true;
    this.#running ??= this.#recover()
      .catch((error: unknown) => {
        this.#log.error({ error: String(error) }, 'telemetry could not be reattached');
        throw error;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #recover(): Promise<void> {
    // Running statements may use a file that is to be detached.
    await this.#segments.settled();
    await this.#engine.settled();
    if (!(await this.#answers('select 1'))) await this.#engine.reopen();
    for (const segment of this.#segments.all()) {
      if (await this.#answers(`select 1 from ${segment.table('batches')} limit 0`)) continue;
      await this.#segments.reattach(segment);
      this.#log.warn({ day: segment.day }, 'a day of telemetry was reattached after a disk failure');
    }
    if (this.#inventory.exists && !(await this.#answers(`select 1 from ${versionsTable} limit 0`))) {
      await this.#inventory.attach();
      this.#log.warn('the inventory was reattached after a disk failure');
    }
    this.#isDue = false;
  }

  async #answers(statement: string): Promise<boolean> {
    return this.#engine
      .use((connection) => connection.run(statement))
      .then(
        () => true,
        () => false,
      );
  }
}
