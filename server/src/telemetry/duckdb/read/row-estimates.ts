import { endOf, type Scope } from './scope.ts';

/** Safety factor: counting slightly too much costs less than a second count. */
const safetyFactor = 2;

/**
 * Row density of each dataset, as measured by the last search without filters. It only affects the speed of the
 * next search.
 */
export class RowEstimates {
  /** Records per millisecond, by account and dataset. */
  readonly #known = new Map<string, number>();

  /** The share of the range, from its end, expected to fill a page; undefined if unknown. */
  shareOf(scope: Scope, rows: number): number | undefined {
    const density = scope.filters.length === 0 ? this.#known.get(keyOf(scope)) : undefined;
    return density && (safetyFactor * rows) / density / lengthOf(scope);
  }

  /** Notes the number of records in the newest share of a range. */
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
