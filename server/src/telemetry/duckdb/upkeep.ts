import type { Clock } from '../../platform/clock.ts';
import type { Engine } from './engine.ts';
import type { Segment } from './segment.ts';
import type { SegmentForm } from './segment-file.ts';
import type { Segments } from './segments.ts';
import type { Writer } from './writer.ts';

/** A search of seven days, at any hour, finds only days that are not cold. */
const coldAfter = 8 * 24 * 3_600_000;

/** What is done to data that is already there, one thing at a time; batches and searches go on meanwhile. */
export class Upkeep {
  readonly #engine: Engine;
  readonly #segments: Segments;
  readonly #writer: Writer;
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: { engine: Engine; segments: Segments; writer: Writer; clock: Clock }) {
    this.#engine = parts.engine;
    this.#segments = parts.segments;
    this.#writer = parts.writer;
    this.#clock = parts.clock;
  }

  /** Removes everything of an account, and gives its disk back where nothing arrives any more. */
  forgetAccount(account: string): Promise<void> {
    return this.#alone(async () => {
      const touched = new Set<Segment>();
      for (const segment of this.#segments.all()) {
        for (const table of [...segment.spans.keys(), 'batches', 'further_members']) {
          await this.#writer.idle();
          const { rowsChanged } = await this.#engine.use((connection) =>
            connection.run(`delete from ${segment.table(table)} where account = $account`, { account }),
          );
          if (rowsChanged > 0) touched.add(segment);
        }
      }
      for (const segment of this.#segments.past()) {
        if (touched.has(segment)) await this.#segments.reform(segment, this.#formOf(segment));
      }
    });
  }

  forgetBefore(moment: number): Promise<void> {
    return this.#alone(() => this.#segments.dropBefore(moment));
  }

  /** Puts days that are over in order, and packs those that few searches come to. */
  tidy(): Promise<void> {
    return this.#alone(async () => {
      for (const segment of this.#segments.past()) {
        const form = this.#formOf(segment);
        if (segment.file.form !== form) await this.#segments.reform(segment, form);
      }
    });
  }

  /** Resolves when nothing goes on any more. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #formOf({ day }: Segment): SegmentForm {
    return this.#clock.now() - Date.parse(day) > coldAfter ? 'cold' : 'sealed';
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const mine = this.#last.then(work);
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
