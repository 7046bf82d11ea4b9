import { endOf, type Scope } from './scope.ts';

/** How many times a page should be in the part that is looked at first: a little too much costs less than a second look. */
const reserve = 2;

/**
 * How densely the records of a dataset lie in time, as searches without filters found last. It tells the next one how little
 * it has to look at, and when it is wrong nothing but time is lost.
 */
export class RowEstimates {
  /** Records in a millisecond, by account and dataset. */
  readonly #known = new Map<string, number>();

  /** The newest part of a range that should hold enough for a page; undefined when nothing is known. */
  shareOf(scope: Scope, rows: number): number | undefined {
    const density = scope.filters.length === 0 ? this.#known.get(keyOf(scope)) : undefined;
    return density && (reserve * rows) / density / lengthOf(scope);
  }

  /** That so many records begin in the newest part of a range. */
  note(scope: Scope, share: number, records: number): void {
    const length = share * lengthOf(scope);
    if (scope.filters.length === 0 && length > 0) this.#known.set(keyOf(scope), records / length);
  }
}

function keyOf({ account, dataset }: Scope): string {
  return `${account} ${dataset.path}`;
}

function lengthOf(scope: Scope): number {
  return endOf(scope) - scope.range.start;
}
