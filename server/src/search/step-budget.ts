import { Refusal } from '../platform/errors.ts';
import type { Filter } from './filter.ts';
import { longestPart } from './like.ts';
import { readsText } from './operators.ts';
import { textOf } from './scalar.ts';

/** About ten seconds of the slowest regular expression; a search that needs more is refused. */
const mostSteps = 400_000_000;

/** About ten milliseconds: what the event loop may be given to do at once. */
const mostInline = 500_000;

/** Bounds the work of comparing records with filters: the size of each pattern times the length of what it is compared with. */
export class StepBudget {
  #left: number;

  constructor(steps = mostSteps) {
    this.#left = steps;
  }

  /** Takes the steps of a comparison before it is made. */
  take(steps: number, { at }: Filter): void {
    this.#left -= steps;
    if (this.#left >= 0) return;
    throw new Refusal(
      'INVALID_FILTER',
      `${at} takes too many steps for the records that it is compared with: shorten its pattern or repetitions, or add a filter on another member that leaves fewer records.`,
    );
  }
}

/** Whether comparing records with all filters is quick by construction; `characters` are those of the records as JSON. */
export function isQuick(filters: readonly Filter[], characters: number): boolean {
  return filters.reduce((sum, filter) => sum + stepsFor(filter, characters), characters) <= mostInline;
}

/** At most so many steps; a regular expression is never quick, since compiling it may not be. */
function stepsFor({ test, values }: Filter, characters: number): number {
  if (test === 'rlike') return Number.POSITIVE_INFINITY;
  const lengths = values.map((value) => textOf(value).length);
  const preparing = lengths.reduce((sum, length) => sum + length + 10, 0);
  const each = readsText(test) ? longestPart(textOf(values[0])) : operandSteps(lengths);
  return preparing + characters * each;
}

/** Steps for each element that an operand is compared with: texts are compared as bytes, many at a time. */
export function operandSteps(lengths: readonly number[]): number {
  return 1 + Math.ceil(Math.max(0, ...lengths) / 64);
}
