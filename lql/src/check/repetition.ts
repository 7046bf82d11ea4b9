import type { Span } from '../text/span.ts';
import type { Problems } from './problems.ts';

/** More nodes than a query can contain without nested repetition. */
const maxRepeated = 20_000;

/** Prevents exponential growth: `between` and `case` use a value more than once. */
export class Repetition {
  #repeated = 0;
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Whether a value of this weight may be used `times` more. */
  allows(weight: number, times: number, at: Span): boolean {
    this.#repeated += weight * times;
    if (this.#repeated <= maxRepeated) return true;
    this.#problems.error(
      at,
      'The values of `case` and `between` are nested too deeply in each other. Write conditions with `and` and `or` instead.',
    );
    return false;
  }
}
