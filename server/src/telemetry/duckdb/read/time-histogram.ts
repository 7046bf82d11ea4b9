import { plain, type Sql } from '../sql/sql.ts';

/** Fits into a byte: the engine counts small integers without a hash table. */
const slices = 250;

/** The oldest slice of a page, which may contain more records than the page. */
export interface Slice {
  /** Covers records that begin in [from, to), or all before `to`. */
  readonly from: number | undefined;
  readonly to: number;
  readonly held: number;
  /** How many of the newest are wanted. */
  readonly wanted: number;
}

/** Record counts per slice of a part of the time range, so that a page reads no further back than needed. */
export class TimeHistogram {
  readonly #start: number;
  readonly #end: number;
  readonly #width: number;
  readonly #counts = new Uint32Array(slices);
  /** Records in all slices. */
  total = 0;

  /** Covers [start, end). */
  constructor(start: number, end: number) {
    this.#start = start;
    this.#end = end;
    this.#width = Math.max(1, Math.ceil((end - start) / slices));
  }

  /** The index of a record's slice. Records that begin before the part are in the first slice. */
  get sliceSql(): Sql {
    return plain(`(greatest(0, t - ${this.#start}) // ${this.#width})::utinyint`);
  }

  add(slice: number, count: number): void {
    this.#counts[slice] = (this.#counts[slice] ?? 0) + count;
    this.total += count;
  }

  /** The oldest slice needed for `rows` records; at least that many are counted. */
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
