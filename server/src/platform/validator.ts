import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { mostProblems, Refusal } from './errors.ts';
import { type Part, type Problem, problemOf } from './explanation.ts';
import { isTimestamp } from './instant.ts';
import { relevantErrors } from './schema-errors.ts';

/** TypeBox makes the schemas: to check them against the meta-schema first would take 80 ms at the first use. */
const strict = {
  strict: false,
  validateSchema: false,
  verbose: true,
  formats: { instant: isTimestamp },
} as const;
/** Queries, paths and headers are strings: numbers and booleans in them are read as such. */
const asText = { ...strict, coerceTypes: true };
/** Valid input, which is nearly all, is checked up to its first error; what is invalid is then checked for all of them. */
const compilers = {
  json: { first: new Ajv2020(strict), all: new Ajv2020({ ...strict, allErrors: true }) },
  text: { first: new Ajv2020(asText), all: new Ajv2020({ ...asText, allErrors: true }) },
};
const textParts: readonly Part[] = ['query', 'path', 'header'];

/** Each value may have several errors, so that those of the largest body would take long to collect. */
const mostValues = 1_000;

/**
 * Checks one part of a request, or a file. Compiled at its first use: compiling 130 routes at the start takes over a
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
    this.#compilers = compilers[textParts.includes(part) ? 'text' : 'json'];
  }

  /** `at` says where the value stands, when it is a piece of something. */
  check(value: unknown, at = ''): void {
    const problems = this.problems(value, at);
    if (problems[0]) throw refusalOf(problems[0], problems);
  }

  /** What is wrong, in the order of the schema; of a value with very many values inside just the first. */
  problems(value: unknown, at = ''): readonly Problem[] {
    this.#first ??= this.#compilers.first.compile(this.#schema);
    if (this.#first(value)) return [];
    const isSmall = holdsAtMost(value, mostValues) >= 0;
    if (isSmall) this.#all ??= this.#compilers.all.compile(this.#schema);
    const failed = isSmall && this.#all && !this.#all(value) ? this.#all : this.#first;
    const errors = relevantErrors(failed.errors ?? []).slice(0, mostProblems);
    const problems = errors.map((error) => problemOf(error, this.#part, at));
    // Errors hold the input.
    for (const validate of [this.#first, this.#all]) if (validate) validate.errors = null;
    return problems;
  }
}

function refusalOf({ message }: Problem, problems: readonly Problem[]): Refusal {
  return new Refusal('INVALID_INPUT', message, {
    problems: problems.map(({ field, message }) => ({ field, message })),
  });
}

/** How many values may still come; negative when there are more than so many inside. */
function holdsAtMost(value: unknown, left: number): number {
  if (typeof value !== 'object' || value === null) return left - 1;
  let remaining = left - 1;
  for (const inner of Object.values(value)) {
    if (remaining < 0) break;
    remaining = holdsAtMost(inner, remaining);
  }
  return remaining;
}
