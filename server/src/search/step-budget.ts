import { Refusal } from '../platform/errors.ts';
import type { Filter } from './filter.ts';
import { maxSegmentLength } from './like.ts';
import { readsString } from './operators.ts';
import { textOf } from './scalar.ts';

/** About ten seconds of the slowest regular expression; a search that needs more is refused. */
const maxSteps = 400_000_000;

/** About ten milliseconds, the limit for work on the event loop. */
const maxInlineSteps = 500_000;

/** Limits the work of a search: the size of each pattern times the length of the strings it is matched against. */
export class StepBudget {
  #remaining: number;

  constructor(steps = maxSteps) {
    this.#remaining = steps;
  }

  /** Charges the steps of a comparison before it runs. */
  take(steps: number, { at }: Filter): void {
    this.#remaining -= steps;
    if (this.#remaining >= 0) return;
    throw new Refusal(
      'INVALID_FILTER',
      `${at} takes too many steps for the records that it is compared with: shorten its pattern or repetitions, or add a filter on another member that leaves fewer records.`,
    );
  }
}

/** Whether evaluating all filters is fast by construction; `characters` is the length of the records as JSON. */
export function isQuick(filters: readonly Filter[], characters: number): boolean {
  return filters.reduce((sum, filter) => sum + stepsFor(filter, characters), characters) <= maxInlineSteps;
}

/** Upper bound of the steps; unlimited for regular expressions, whose compilation may be slow. */
function stepsFor({ test, values }: Filter, characters: number): number {
  if (test === 'rlike') return Number.POSITIVE_INFINITY;
  const lengths = values.map((value) => textOf(value).length);
  const preparation = lengths.reduce((sum, length) => sum + length + 10, 0);
  const perCharacter = readsString(test) ? maxSegmentLength(textOf(values[0])) : operandSteps(lengths);
  return preparation + characters * perCharacter;
}

/** Steps per compared element: strings are compared as bytes, many at a time. */
export function operandSteps(lengths: readonly number[]): number {
  return 1 + Math.ceil(Math.max(0, ...lengths) / 64);
}
