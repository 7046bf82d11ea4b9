import { Refusal } from '../../../platform/errors.ts';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { Log } from '../../../platform/log.ts';
import type { RecordSearch } from '../../record-search.ts';
import { isDamagedBlock } from '../engine/disk-failure.ts';
import type { Engine } from '../engine/engine.ts';
import { unlessAborted } from '../engine/interruption.ts';
import { systemTenant } from '../engine/statements.ts';
import { type Segment, startOfHistory } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';

export interface DamageDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly statements: FairQueue;
  readonly log: Log;
}

export interface SegmentTable {
  readonly segment: Segment;
  readonly table: string;
}

/**
 * Tracks days with unreadable blocks. The engine does not say which block is damaged, so the tables of the failed
 * search are read one by one. Results are cached while the file stays open.
 */
export class Damage {
  readonly #deps: DamageDeps;
  readonly #damaged = new WeakMap<Segment, Map<string, string>>();
  /** Tables that were read completely during a search for damage. */
  readonly #intact = new WeakMap<Segment, Set<string>>();
  readonly #stopping = new AbortController();
  #searching: Promise<void> = Promise.resolve();

  constructor(deps: DamageDeps) {
    this.#deps = deps;
  }

  isKnown({ segment, table }: SegmentTable): boolean {
    return this.#damaged.get(segment)?.has(table) ?? false;
  }

  /** The days of known damaged tables, oldest first. */
  daysOf(tables: readonly SegmentTable[]): string[] {
    const damaged = tables.filter((each) => this.isKnown(each));
    return [...new Set(damaged.map(({ segment }) => segment.day))].sort();
  }

  /** Runs a search. If a block is damaged, a partial search is retried without the damaged days; others are refused. */
  async search<Result>(
    recordSearch: RecordSearch,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return work().catch(async (error: unknown) => {
      if (!isDamagedBlock(error)) throw error;
      const { segments } = this.#deps;
      const { account, dataset, range, partial } = recordSearch;
      const tablesSince = (start: number) =>
        segments
          .covering(account, dataset.path, start, range.end)
          .map((segment) => ({ segment, table: dataset.path }));
      const tables = tablesSince(range.start);
      const readsHistory = dataset.search?.earliest !== undefined;
      if (!partial && !readsHistory) return this.refuse(error, tables, signal);
      const read = readsHistory ? tablesSince(startOfHistory) : tables;
      await this.#findDamage(read, signal);
      if (!partial && this.daysOf(tables).length > 0) return this.refuse(error, tables, signal);
      if (this.daysOf(read).length === 0) throw error;
      return work();
    });
  }

  /** Refuses an operation on these tables: names the damaged days if the error is a damaged block. */
  async refuse(error: unknown, tables: readonly SegmentTable[], signal?: AbortSignal): Promise<never> {
    if (!isDamagedBlock(error)) throw error;
    if (this.daysOf(tables).length === 0) await this.#findDamage(tables, signal);
    throw damagedDays(this.daysOf(tables));
  }

  /** Reads a whole table; returns the error message if that fails. */
  async check({ segment, table }: SegmentTable, signal?: AbortSignal): Promise<string | undefined> {
    const { engine, segments, statements, log } = this.#deps;
    const until = AbortSignal.any([this.#stopping.signal, ...(signal ? [signal] : [])]);
    // Reads every column of every row and keeps none.
    const sql = `select bit_xor(hash(whole)) from ${segment.table(table)} as whole`;
    const reading = () => engine.use((connection) => connection.run(sql), until);
    const reason = await segments
      .pinned(() => statements.run(systemTenant, reading, until))
      .then(
        () => undefined,
        (error: Error) => {
          if (!isDamagedBlock(error)) throw error;
          return error.message;
        },
      );
    const known = this.#damaged.get(segment);
    if (reason === undefined) {
      known?.delete(table);
      this.#intact.set(segment, new Set([...(this.#intact.get(segment) ?? []), table]));
    } else if (!known?.has(table)) {
      const file = segments.pathOf(segment);
      log.error({ file, day: segment.day, dataset: table, error: reason }, 'a day of telemetry is damaged');
      this.#damaged.set(segment, new Map([...(known ?? []), [table, reason]]));
    }
    return reason;
  }

  /** Cancels a running search for damage. */
  stop(): void {
    this.#stopping.abort(new Error('the store is closed'));
  }

  /**
   * Runs to the end even if the caller has timed out, once for all searches that failed alike: days of many
   * gigabytes take longer than a search may.
   */
  async #findDamage(tables: readonly SegmentTable[], signal?: AbortSignal): Promise<void> {
    const isUnchecked = ({ segment, table }: SegmentTable) =>
      !this.isKnown({ segment, table }) && !this.#intact.get(segment)?.has(table);
    const findAll = async () => {
      for (const each of tables) if (isUnchecked(each)) await this.check(each);
      // The damage is elsewhere or transient: the next search checks again.
      if (this.daysOf(tables).length === 0) for (const { segment } of tables) this.#intact.delete(segment);
    };
    const searching = this.#searching.then(findAll);
    this.#searching = searching.catch(() => undefined);
    await (signal ? unlessAborted(searching, signal) : searching);
  }
}

function damagedDays(days: readonly string[]): Refusal {
  const which = days.length === 0 ? 'Stored data is' : `Records that arrived on ${days.join(', ')} are`;
  return new Refusal(
    'DATA_DAMAGED',
    `${which} damaged and can not be read: ask the operator to run \`vedette verify\`. ` +
      'A search with "partial": true leaves damaged days out.',
  );
}
