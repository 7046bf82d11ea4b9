import type { Span } from '../text/span.ts';
import type { Problems } from './problems.ts';

/** More parts than a text can hold: they come of values that are repeated inside others that are repeated. */
const mostRepeated = 20_000;

/** Keeps a short text from becoming an endless query: `between` and `case` use a value more often than it is written. */
export class Repetition {
  #repeated = 0;
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Whether a value of this weight may be used so many times more than it is written. */
  allows(weight: number, times: number, at: Span): boolean {
    this.#repeated += weight * times;
    if (this.#repeated <= mostRepeated) return true;
    this.#problems.error(
      at,
      'The values of `case` and `between` are repeated inside each other too often. Write conditions with `and` and `or` instead.',
    );
    return false;
  }
}
