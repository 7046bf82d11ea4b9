import type { TimeRange } from '../../search/time-range.ts';

/** Slices of a range; fine enough that the last one that a page needs holds little beyond the page. */
const slices = 1_000;

/** How many records of a search lie in each slice of its time range, so that a page need not look beyond those it shows. */
export class Survey {
  readonly #start: number;
  readonly #width: number;
  readonly #counts = new Map<number, number>();
  total = 0;

  constructor({ start, end }: TimeRange) {
    this.#start = start;
    this.#width = Math.max(1, Math.ceil((end - start) / slices));
  }

  /** The number of the slice of a moment, in SQL. What began before the range is in the first slice. */
  sliceSql(moment: string): string {
    return `greatest(0, (${moment} - ${this.#start}) // ${this.#width})`;
  }

  add(slice: number, count: number): void {
    this.#counts.set(slice, (this.#counts.get(slice) ?? 0) + count);
    this.total += count;
  }

  /** The latest moment from which on there are so many records, and how many there are; undefined is the start of all. */
  newest(rows: number): { from: number | undefined; candidates: number } {
    let candidates = 0;
    for (const [slice, count] of [...this.#counts].sort(([left], [right]) => right - left)) {
      candidates += count;
      if (candidates >= rows)
        return { from: slice === 0 ? undefined : this.#start + slice * this.#width, candidates };
    }
    return { from: undefined, candidates };
  }
}
