import type { Span } from '../text/span.ts';
import type { CheckedExpression } from './checked.ts';
import { OperationCounter } from './operation-counter.ts';
import type { Problems } from './problems.ts';

/** Engines take minutes to plan thousands of joins. */
const maxSources = 50;

/** Each expansion adds a level of nesting to the statement. */
const maxExpansions = 50;

/** OperationCounter compile to long SQL: thousands take long to generate, plan and free. */
const maxOperations = 1_000;
const operationsPerRange = 4;

/** Bounds the size of a query, over all its blocks. */
export class QueryLimits {
  #sources = 0;
  #expansions = 0;
  #operations = 0;
  readonly #counted = new OperationCounter();
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** Reports an excess once. */
  add(at: Span): void {
    if (++this.#sources !== maxSources + 1) return;
    this.#problems.error(at, `A query reads at most ${maxSources} datasources. Split it.`);
  }

  addExpansion(at: Span): void {
    if (++this.#expansions !== maxExpansions + 1) return;
    this.#problems.error(at, `A query expands at most ${maxExpansions} arrays. Split it.`);
  }

  /** Operands that were counted before are skipped. */
  addValue(value: CheckedExpression, at: Span): void {
    this.#addOperations(at, this.#counted.count(value));
  }

  addRange(at: Span): void {
    this.#addOperations(at, operationsPerRange);
  }

  #addOperations(at: Span, count: number): void {
    const before = this.#operations;
    this.#operations += count;
    if (before > maxOperations || this.#operations <= maxOperations) return;
    this.#problems.error(
      at,
      `A query has at most ${maxOperations} operations: arithmetic operators, function calls, conversions to Number or Timestamp and paths into JSON, some of which count more than once. Split it, or compare with lists after \`in\`.`,
    );
  }
}
