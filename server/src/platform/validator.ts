import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { Refusal } from './errors.ts';
import { isMoment } from './instant.ts';

export type Part = 'body' | 'query' | 'path' | 'header' | 'file' | 'record';

/** What is wrong with a value, and at which of its members. */
export interface Problem {
  readonly path: readonly string[];
  readonly message: string;
}

/** TypeBox makes the schemas: to check them against the meta-schema first would take 80 ms at the first use. */
const strict = {
  strict: false,
  validateSchema: false,
  allErrors: false,
  verbose: true,
  formats: { moment: isMoment },
} as const;
/**
 * Queries, paths and headers are text: numbers and booleans in them are read as such. Bodies, files and records are
 * taken at their word.
 */
const compilers = {
  json: new Ajv2020(strict),
  text: new Ajv2020({ ...strict, coerceTypes: true }),
};
const textParts: readonly Part[] = ['query', 'path', 'header'];

/**
 * Checks one part of a request, or a file. Compiled at its first use: compiling 130 routes at the start takes over a
 * second.
 */
export class Validator {
  readonly #schema: TSchema;
  readonly #part: Part;
  #validate: ValidateFunction | undefined;

  constructor(schema: TSchema, part: Part) {
    this.#schema = schema;
    this.#part = part;
  }

  check(value: unknown, at = ''): void {
    const problem = this.problem(value, at);
    if (problem) throw new Refusal('INVALID_INPUT', problem.message);
  }

  /** The first thing that is wrong; `at` says where the value stands, when it is a piece of something. */
  problem(value: unknown, at = ''): Problem | undefined {
    const part = this.#part;
    this.#validate ??= compilers[textParts.includes(part) ? 'text' : 'json'].compile(this.#schema);
    if (this.#validate(value)) return undefined;
    const error = mostPrecise(this.#validate.errors ?? []);
    return error
      ? { path: pathOf(error), message: explain(error, part, at) }
      : { path: [], message: `The ${part} is not accepted.` };
  }
}

/** Of what a choice of forms complains about, the fault deepest inside: the other forms were not meant. */
function mostPrecise(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const depthOf = (error: ErrorObject) => pathOf(error).length + (error.keyword === 'required' ? 1 : 0);
  const deepest = Math.max(...errors.map(depthOf));
  return errors.find((error) => depthOf(error) === deepest);
}

/** One sentence that names the member and says what is expected of it. */
export function explain(error: ErrorObject, part: Part, at = ''): string {
  const { keyword, params, data } = error;
  const place = nameOf(pathOf(error), at);
  const name = place || `The ${part}`;
  switch (keyword) {
    case 'required': {
      const member = place ? `${place}.${params.missingProperty}` : params.missingProperty;
      return `${member} is required: add it to the ${part}.`;
    }
    case 'additionalProperties':
      return `${name} is not known: correct or remove it.`;
    case 'type':
      return `${name} must be ${withArticle([params.type].flat().join(' or '))}, not ${show(data)}.`;
    case 'enum':
      return `${name} must be one of ${params.allowedValues.filter((word: unknown) => word !== '').join(', ')}, not ${show(data)}.`;
    case 'const':
      return `${name} must be ${show(params.allowedValue)}, not ${show(data)}.`;
    case 'format':
      return `${name} must be a moment such as 2024-05-01T13:00:00.000Z, not ${show(data)}.`;
    case 'minLength':
      return params.limit === 1
        ? `${name} must not be empty.`
        : `${name} must have ${params.limit} characters or more.`;
    case 'maxLength':
      return `${name} must have ${params.limit} characters at the most.`;
    case 'minItems':
      return params.limit === 1
        ? `${name} must not be empty.`
        : `${name} must hold ${params.limit} values or more.`;
    case 'maxItems':
      return `${name} must hold ${params.limit} values at the most.`;
    case 'uniqueItems':
      return `${name} must not hold the same value twice.`;
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
      return `${name} must be ${params.comparison} ${params.limit}, not ${show(data)}.`;
    default: {
      const hint = (error.parentSchema as { description?: string } | undefined)?.description;
      return `${name} is not accepted: ${show(data)}.${hint ? ` ${hint}` : ''}`;
    }
  }
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...path, params.additionalProperty] : path;
}

/** Written like `filters[0].field`. */
function nameOf(path: readonly string[], at: string): string {
  return path.reduce(
    (name, part) => (/^\d+$/.test(part) ? `${name}[${part}]` : name ? `${name}.${part}` : part),
    at,
  );
}

function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = String(value);
  return typeof value === 'string' ? `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'` : text;
}
