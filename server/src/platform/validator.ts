import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { maxProblems, Refusal } from './errors.ts';
import { type Part, type Problem, problemOf } from './explanation.ts';
import { isTimestamp } from './instant.ts';
import { relevantErrors } from './schema-errors.ts';

/** TypeBox generates the schemas: validating them against the meta-schema would take 80 ms at the first use. */
const strict = {
  strict: false,
  validateSchema: false,
  verbose: true,
  formats: { instant: isTimestamp },
} as const;
/** Queries, paths and headers are strings, so numbers and booleans in them are coerced. */
const coercing = { ...strict, coerceTypes: true };
/** Nearly all input is valid: the first pass stops at the first error, and only invalid input is checked for all errors. */
const compilers = {
  json: { first: new Ajv2020(strict), all: new Ajv2020({ ...strict, allErrors: true }) },
  strings: { first: new Ajv2020(coercing), all: new Ajv2020({ ...coercing, allErrors: true }) },
};
const coercedParts: readonly Part[] = ['query', 'path', 'header'];

/** Each value may have several errors; collecting all of a large body would take too long. */
const maxValuesForAllErrors = 1_000;

/**
 * Validates one part of a request, or a file. Compiles at the first use: compiling 130 routes at the start takes over a
 * second.
 */
export class Validator {
  readonly #schema: TSchema;
  readonly #part: Part;
  readonly #compilers: (typeof compilers)['json'];
  #first: ValidateFunction | undefined;
  #all: ValidateFunction | undefined;

  constructor(schema: TSchema, part: Part) {
    this.#schema = schema;
    this.#part = part;
    this.#compilers = compilers[coercedParts.includes(part) ? 'strings' : 'json'];
  }

  /** `at` is the location of the value within a larger one. */
  check(value: unknown, at = ''): void {
    const problems = this.problems(value, at);
    if (problems[0]) throw refusalOf(problems[0], problems);
  }

  /** Problems in the order of the schema; for a very large value only the first. */
  problems(value: unknown, at = ''): readonly Problem[] {
    this.#first ??= this.#compilers.first.compile(this.#schema);
    if (this.#first(value)) return [];
    const isSmall = remainingValues(value, maxValuesForAllErrors) >= 0;
    if (isSmall) this.#all ??= this.#compilers.all.compile(this.#schema);
    const failed = isSmall && this.#all && !this.#all(value) ? this.#all : this.#first;
    const errors = relevantErrors(failed.errors ?? []).slice(0, maxProblems);
    const problems = errors.map((error) => problemOf(error, this.#part, at));
    // Errors retain the input.
    for (const validate of [this.#first, this.#all]) if (validate) validate.errors = null;
    return problems;
  }
}

function refusalOf({ message }: Problem, problems: readonly Problem[]): Refusal {
  return new Refusal('INVALID_INPUT', message, {
    problems: problems.map(({ field, message }) => ({ field, message })),
  });
}

/** The remaining budget after counting the values inside; negative if it is exceeded. */
function remainingValues(value: unknown, budget: number): number {
  if (typeof value !== 'object' || value === null) return budget - 1;
  let remaining = budget - 1;
  for (const inner of Object.values(value)) {
    if (remaining < 0) break;
    remaining = remainingValues(inner, remaining);
  }
  return remaining;
}
