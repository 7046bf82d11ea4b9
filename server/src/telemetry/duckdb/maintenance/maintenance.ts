import type { Clock } from '../../../platform/clock.ts';
import type { DiskBudget } from '../disk/disk-budget.ts';
import type { Spill } from '../disk/spill.ts';
import { isDamagedBlock } from '../engine/disk-failure.ts';
import type { Engine } from '../engine/engine.ts';
import type { Segment } from '../segments/segment.ts';
import type { SegmentForm } from '../segments/segment-file.ts';
import type { Segments } from '../segments/segments.ts';
import type { Writer } from '../write/writer.ts';

/** A search over seven days never reads a cold day. */
const coldAfter = 8 * 24 * 3_600_000;
/** Spill space of a rewrite as a multiple of the file size: sorted rows are uncompressed. */
const rowGrowth = 8;

export interface MaintenanceDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly writer: Writer;
  readonly budget: DiskBudget;
  readonly spill: Spill;
  readonly clock: Clock;
}

/** Background maintenance of stored data, one operation at a time, concurrent with ingest and searches. */
export class Maintenance {
  readonly #deps: MaintenanceDeps;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
  }

  /** Removes an account's data, and rewrites past segments to free the disk space. */
  deleteAccount(account: string): Promise<void> {
    const { segments } = this.#deps;
    return this.#serialize(async () => {
      const visited = new Map<string, boolean>();
      const next = () => segments.all().find(({ name }) => !visited.has(name));
      // Days may be dropped or added meanwhile, and a dropped day carries its keys to the newest.
      for (let segment = next(); segment; segment = next()) {
        visited.set(segment.name, await this.#deleteFrom(account, segment));
      }
      for (const segment of segments.past()) if (visited.get(segment.name)) await this.#rewriteAs(segment);
    });
  }

  deleteBefore(instant: number): Promise<void> {
    return this.#drop((budget) => budget.dropBefore(instant));
  }

  keepWithinCap(): Promise<void> {
    return this.#drop((budget) => budget.keepWithinCap());
  }

  /** Sorts past days, and compresses those that are rarely searched. */
  compact(): Promise<void> {
    return this.#serialize(async () => {
      let damaged: unknown;
      for (const segment of this.#deps.segments.past()) {
        if (segment.file.form === this.#formOf(segment)) continue;
        await this.#rewriteAs(segment).catch((error: unknown) => {
          if (!isDamagedBlock(error)) throw error;
          damaged ??= error;
        });
      }
      // A damaged day must not prevent the compaction of others.
      if (damaged !== undefined) throw damaged;
    });
  }

  /**
   * Checkpoints all days. Under memory pressure the engine spills rows that are only in the write-ahead log, and
   * keeps those spill files until a checkpoint has moved the rows.
   */
  clearSpill(): Promise<void> {
    const { segments, writer, budget } = this.#deps;
    return this.#serialize(async () => {
      for (const segment of segments.all()) await writer.exclusive(() => budget.checkpoint(segment));
    });
  }

  /** Resolves when all operations have ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #drop(work: (budget: DiskBudget) => Promise<void>): Promise<void> {
    const { writer, budget } = this.#deps;
    return this.#serialize(async () => {
      await writer.exclusive(() => work(budget));
      await budget.idle();
    });
  }

  /** Returns whether rows were deleted. */
  async #deleteFrom(account: string, { name, spans }: Segment): Promise<boolean> {
    let deleted = 0;
    const deleteFrom = (tables: (segment: Segment) => readonly string[]) =>
      this.#deps.writer.exclusive(async () => {
        const segment = this.#deps.segments.all().find((candidate) => candidate.name === name);
        for (const table of segment ? tables(segment) : []) {
          const { rowsChanged } = await this.#deps.engine.use((connection) =>
            connection.run(`delete from ${segment?.table(table)} where account = $account`, { account }),
          );
          deleted += rowsChanged;
        }
      });
    for (const table of spans.keys()) await deleteFrom(() => [table]);
    // Rows added meanwhile are deleted together with the batches, which identify the owner of records.
    await deleteFrom((segment) => [...segment.spans.keys(), 'batches', 'further_members']);
    return deleted > 0;
  }

  /** Skipped without disk space for both files; retried at the next compaction. */
  async #rewriteAs(segment: Segment): Promise<void> {
    const { segments, writer, budget, spill } = this.#deps;
    if (!(await writer.exclusive(() => budget.reserveForRewrite(segment)))) return;
    await spill
      .forRewrite(rowGrowth * segments.sizeOf(segment).file, () =>
        segments.rewriteAs(segment, this.#formOf(segment)),
      )
      .finally(() => budget.releaseReservation());
  }

  #formOf({ day }: Segment): SegmentForm {
    return this.#deps.clock.now() - Date.parse(day) > coldAfter ? 'cold' : 'sealed';
  }

  #serialize(work: () => Promise<void>): Promise<void> {
    const operation = this.#last.then(work);
    this.#last = operation.catch(() => undefined);
    return operation;
  }
}
