import type { Clock } from '../../../platform/clock.ts';
import type { DiskBudget } from '../disk/disk-budget.ts';
import type { Spill } from '../disk/spill.ts';
import { isDamagedBlock } from '../engine/disk-failure.ts';
import type { Engine } from '../engine/engine.ts';
import type { Segment } from '../segments/segment.ts';
import type { SegmentForm } from '../segments/segment-file.ts';
import type { Segments } from '../segments/segments.ts';
import type { Writer } from '../write/writer.ts';

/** A search of seven days, at any hour, finds only days that are not cold. */
const coldAfter = 8 * 24 * 3_600_000;
/** A day that is put in order takes up to so many times its file, for its rows are not packed meanwhile. */
const rowGrowth = 8;

export interface UpkeepDeps {
  readonly engine: Engine;
  readonly segments: Segments;
  readonly writer: Writer;
  readonly budget: DiskBudget;
  readonly spill: Spill;
  readonly clock: Clock;
}

/** What is done to data that is already there, one thing at a time; batches and searches go on meanwhile. */
export class Upkeep {
  readonly #deps: UpkeepDeps;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: UpkeepDeps) {
    this.#deps = deps;
  }

  /** Removes everything of an account, and gives its disk back where nothing arrives any more. */
  forgetAccount(account: string): Promise<void> {
    const { segments } = this.#deps;
    return this.#alone(async () => {
      const visited = new Map<string, boolean>();
      const next = () => segments.all().find(({ name }) => !visited.has(name));
      // Days may go and come meanwhile, and one that goes leaves its keys to the newest.
      for (let segment = next(); segment; segment = next()) {
        visited.set(segment.name, await this.#forget(account, segment));
      }
      for (const segment of segments.past()) if (visited.get(segment.name)) await this.#reform(segment);
    });
  }

  forgetBefore(instant: number): Promise<void> {
    return this.#drop((budget) => budget.dropBefore(instant));
  }

  keepWithinCap(): Promise<void> {
    return this.#drop((budget) => budget.keepWithinCap());
  }

  /** Puts days that are over in order, and packs those that few searches come to. */
  tidy(): Promise<void> {
    return this.#alone(async () => {
      let damaged: unknown;
      for (const segment of this.#deps.segments.past()) {
        if (segment.file.form === this.#formOf(segment)) continue;
        await this.#reform(segment).catch((error: unknown) => {
          if (!isDamagedBlock(error)) throw error;
          damaged ??= error;
        });
      }
      // One day that can not be read keeps no other from its form.
      if (damaged !== undefined) throw damaged;
    });
  }

  /**
   * Has days take up what is only logged. The engine keeps such rows in memory, puts them among what queries spill where memory
   * is short, and leaves the files there, as large as they were, until a checkpoint has moved the rows.
   */
  clearSpill(): Promise<void> {
    const { segments, writer, budget } = this.#deps;
    return this.#alone(async () => {
      for (const segment of segments.all()) await writer.inTurn(() => budget.takeUp(segment));
    });
  }

  /** Resolves when nothing goes on any more. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #drop(work: (budget: DiskBudget) => Promise<void>): Promise<void> {
    const { writer, budget } = this.#deps;
    return this.#alone(async () => {
      await writer.inTurn(() => work(budget));
      await budget.idle();
    });
  }

  /** Tells whether there was anything. */
  async #forget(account: string, { name, spans }: Segment): Promise<boolean> {
    let changed = 0;
    const forget = (tables: (segment: Segment) => readonly string[]) =>
      this.#deps.writer.inTurn(async () => {
        const segment = this.#deps.segments.all().find((candidate) => candidate.name === name);
        for (const table of segment ? tables(segment) : []) {
          const { rowsChanged } = await this.#deps.engine.use((connection) =>
            connection.run(`delete from ${segment?.table(table)} where account = $account`, { account }),
          );
          changed += rowsChanged;
        }
      });
    for (const table of spans.keys()) await forget(() => [table]);
    // What came in between goes in the same turn as the batches: whose records these are is known by them.
    await forget((segment) => [...segment.spans.keys(), 'batches', 'further_members']);
    return changed > 0;
  }

  /** Not without room for both files: it is tried again when the next one is due. */
  async #reform(segment: Segment): Promise<void> {
    const { segments, writer, budget, spill } = this.#deps;
    if (!(await writer.inTurn(() => budget.lend(segment)))) return;
    await spill
      .forRewrite(rowGrowth * segments.sizeOf(segment).file, () =>
        segments.reform(segment, this.#formOf(segment)),
      )
      .finally(() => budget.giveBack());
  }

  #formOf({ day }: Segment): SegmentForm {
    return this.#deps.clock.now() - Date.parse(day) > coldAfter ? 'cold' : 'sealed';
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
