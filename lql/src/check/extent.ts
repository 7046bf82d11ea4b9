import type { Span } from '../text/span.ts';
import type { Problems } from './problems.ts';

/** Far more than anybody joins; engines take minutes to plan thousands. */
const mostSources = 50;

/** Keeps a query from reading more datasources than an engine can plan, in all its blocks together. */
export class Extent {
  #sources = 0;
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Says once that there are too many. */
  add(at: Span): void {
    if (++this.#sources !== mostSources + 1) return;
    this.#problems.error(at, `A query reads at most ${mostSources} datasources. Take it apart.`);
  }
}
