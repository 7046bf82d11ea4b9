import type { Span } from '../text/span.ts';
import type { Checked } from './checked.ts';
import { Operations } from './operations.ts';
import type { Problems } from './problems.ts';

/** Far more than anybody joins; engines take minutes to plan thousands. */
const mostSources = 50;

/** Each stands around the ones before it in the statement. */
const mostExpansions = 50;

/** Of what is written many times longer than it is: a statement of thousands takes long to make, to plan and to drop. */
const mostOperations = 1_000;
const operationsOfRange = 4;

/** Keeps a query from reading more datasources than an engine can plan, in all its blocks together. */
export class Extent {
  #sources = 0;
  #expansions = 0;
  #operations = 0;
  readonly #counted = new Operations();
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Says once that there are too many. */
  add(at: Span): void {
    if (++this.#sources !== mostSources + 1) return;
    this.#problems.error(at, `A query reads at most ${mostSources} datasources. Take it apart.`);
  }

  addExpansion(at: Span): void {
    if (++this.#expansions !== mostExpansions + 1) return;
    this.#problems.error(at, `A query expands at most ${mostExpansions} lists. Take it apart.`);
  }

  /** What is new in it: its parts were added before. */
  addValue(value: Checked, at: Span): void {
    this.#addOperations(at, this.#counted.count(value));
  }

  addRange(at: Span): void {
    this.#addOperations(at, operationsOfRange);
  }

  #addOperations(at: Span, count: number): void {
    const before = this.#operations;
    this.#operations += count;
    if (before > mostOperations || this.#operations <= mostOperations) return;
    this.#problems.error(
      at,
      `A query has at most ${mostOperations} operations: arithmetic operators, function calls, conversions to Number or Timestamp and paths into JSON, of which some count more than once. Take it apart, or compare with lists after \`in\`.`,
    );
  }
}
