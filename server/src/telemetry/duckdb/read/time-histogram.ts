import { plain, type Sql } from '../sql/sql.ts';

/** As many as a byte can number: the engine counts by small numbers without a hash table. */
const slices = 250;

/** The slice that a page begins to leave records out of. */
export interface Slice {
  /** It holds records that begin in [from, to), or all that begin before its end. */
  readonly from: number | undefined;
  readonly to: number;
  readonly held: number;
  /** How many of them, the newest, are wanted. */
  readonly wanted: number;
}

/**
 * How many records of a search begin in each slice of a part of its time range, so that a page need not look beyond those
 * it shows.
 */
export class TimeHistogram {
  readonly #start: number;
  readonly #end: number;
  readonly #width: number;
  readonly #counts = new Uint32Array(slices);
  /** Records in all slices. */
  total = 0;

  /** Of [start, end). */
  constructor(start: number, end: number) {
    this.#start = start;
    this.#end = end;
    this.#width = Math.max(1, Math.ceil((end - start) / slices));
  }

  /** The number of the slice in which a record begins. What began before the part is in the first slice. */
  get sliceSql(): Sql {
    return plain(`(greatest(0, t - ${this.#start}) // ${this.#width})::utinyint`);
  }

  add(slice: number, count: number): void {
    this.#counts[slice] = (this.#counts[slice] ?? 0) + count;
    this.total += count;
  }

  /** The last slice that is needed for so many records, of which there are as many. */
  slice(rows: number): Slice {
    let wanted = rows;
    for (let slice = slices - 1; ; slice--) {
      const held = this.#counts[slice] as number;
      const start = this.#start + slice * this.#width;
      if (slice === 0 || held >= wanted)
        return {
          from: slice === 0 ? undefined : start,
          to: Math.min(start + this.#width, this.#end),
          ...{ held, wanted },
        };
      wanted -= held;
    }
  }
}
