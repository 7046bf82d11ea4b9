import { Refusal } from '../../../platform/errors.ts';
import type { FairQueue } from '../../../platform/fair-queue.ts';
import type { Log } from '../../../platform/log.ts';
import type { RecordSearch } from '../../record-search.ts';
import { isDamagedBlock } from '../engine/disk-failure.ts';
import type { Engine } from '../engine/engine.ts';
import { unlessAborted } from '../engine/interruption.ts';
import { ofService } from '../engine/statements.ts';
import type { Segment } from '../segments/segment.ts';
import type { Segments } from '../segments/segments.ts';

export interface DamageDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  /** Shared with searches. */
  readonly statements: FairQueue;
  readonly log: Log;
}

/** A table of a segment. */
export interface SegmentTable {
  readonly segment: Segment;
  readonly table: string;
}

/**
 * Days of which a block can not be read. The engine tells only that some block is damaged, so the tables of the search are
 * read one by one to find out which; what was found is remembered for as long as the file stays open.
 */
export class Damage {
  readonly #deps: DamageDeps;
  readonly #found = new WeakMap<Segment, Map<string, string>>();
  /** Tables that were read to their end while a damaged one was looked for. */
  readonly #whole = new WeakMap<Segment, Set<string>>();
  readonly #stopping = new AbortController();
  #looking: Promise<void> = Promise.resolve();

  constructor(deps: DamageDeps) {
    this.#deps = deps;
  }

  isKnown({ segment, table }: SegmentTable): boolean {
    return this.#found.get(segment)?.has(table) ?? false;
  }

  /** Days of those tables that are known to be damaged, the oldest first. */
  daysOf(tables: readonly SegmentTable[]): string[] {
    const damaged = tables.filter((each) => this.isKnown(each));
    return [...new Set(damaged.map(({ segment }) => segment.day))].sort();
  }

  /** Runs a search, which leaves out what is known to be damaged when it may be partial, and refuses it otherwise. */
  async search<Result>(
    wanted: RecordSearch,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return work().catch(async (error: unknown) => {
      if (!isDamagedBlock(error)) throw error;
      const { segments } = this.#deps;
      const { account, dataset, range, partial } = wanted;
      const covering = segments.covering(account, dataset.path, range.start, range.end);
      const tables = covering.map((segment) => ({ segment, table: dataset.path }));
      if (!partial) return this.refuse(error, tables, signal);
      await this.#look(tables, signal);
      if (this.daysOf(tables).length === 0) throw error;
      return work();
    });
  }

  /** The refusal that an error of these tables is: it names the days, where blocks of them are damaged. */
  async refuse(error: unknown, tables: readonly SegmentTable[], signal?: AbortSignal): Promise<never> {
    if (!isDamagedBlock(error)) throw error;
    if (this.daysOf(tables).length === 0) await this.#look(tables, signal);
    throw damagedDays(this.daysOf(tables));
  }

  /** Reads all of a table; the reason when that is not possible. */
  async check({ segment, table }: SegmentTable, signal?: AbortSignal): Promise<string | undefined> {
    const { engine, segments, statements, log } = this.#deps;
    const until = AbortSignal.any([this.#stopping.signal, ...(signal ? [signal] : [])]);
    // Every column of every row, of which nothing is kept.
    const sql = `select bit_xor(hash(whole)) from ${segment.table(table)} as whole`;
    const reading = () => engine.use((connection) => connection.run(sql), until);
    const reason = await segments
      .reading(() => statements.run(ofService, reading, until))
      .then(
        () => undefined,
        (error: Error) => {
          if (!isDamagedBlock(error)) throw error;
          return error.message;
        },
      );
    const known = this.#found.get(segment);
    if (reason === undefined) {
      known?.delete(table);
      this.#whole.set(segment, new Set([...(this.#whole.get(segment) ?? []), table]));
    } else if (!known?.has(table)) {
      const file = segments.pathOf(segment);
      log.error({ file, day: segment.day, dataset: table, error: reason }, 'a day of telemetry is damaged');
      this.#found.set(segment, new Map([...(known ?? []), [table, reason]]));
    }
    return reason;
  }

  /** Ends what is being looked for. */
  stop(): void {
    this.#stopping.abort(new Error('the store is closed'));
  }

  /**
   * Goes on to the end although nobody waits any more, and once for all searches that met the same: days of many gigabytes take
   * longer than a search may.
   */
  async #look(tables: readonly SegmentTable[], signal?: AbortSignal): Promise<void> {
    const isOpen = ({ segment, table }: SegmentTable) =>
      !this.isKnown({ segment, table }) && !this.#whole.get(segment)?.has(table);
    const look = async () => {
      for (const each of tables) if (isOpen(each)) await this.check(each);
      // Whatever it was, it is somewhere else, or was not there before: the next one looks again.
      if (this.daysOf(tables).length === 0) for (const { segment } of tables) this.#whole.delete(segment);
    };
    const looking = this.#looking.then(look);
    this.#looking = looking.catch(() => undefined);
    await (signal ? unlessAborted(looking, signal) : looking);
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
