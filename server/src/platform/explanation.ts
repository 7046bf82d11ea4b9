import type { ErrorObject } from 'ajv/dist/2020.js';
import { codesOf } from './coded.ts';
import { printable, quoted } from './quoted.ts';

/** The source of a value. */
export type Part = 'body' | 'query' | 'path' | 'header' | 'file' | 'record';

/** A problem with a value and the path of the affected member. */
export interface Problem {
  readonly path: readonly string[];
  /** The path as messages show it, prefixed with the location of the value itself. */
  readonly field: string;
  readonly message: string;
}

export function problemOf(error: ErrorObject, part: Part, at: string): Problem {
  const path = pathOf(error);
  const location = nameOf(path, at);
  if (error.keyword !== 'required') return { path, field: location, message: explain(error, part, location) };
  const member = printable(error.params.missingProperty);
  const field = location ? `${location}.${member}` : member;
  return { path, field, message: `${field} is required: add it to the ${part}.` };
}

/** A sentence that names the member and the expected value. */
function explain(error: ErrorObject, part: Part, location: string): string {
  const { keyword, params, data } = error;
  const name = location || `The ${part}`;
  const codes = codesOf(error.parentSchema);
  switch (keyword) {
    case 'additionalProperties':
      return `${name} is not a known member: correct or remove it.`;
    case 'type':
      return `${name} must be ${codes ?? withArticle([params.type].flat().join(' or '))}, not ${show(data)}.`;
    case 'enum':
      return `${name} must be one of ${params.allowedValues.filter((value: unknown) => value !== '').join(', ')}, not ${show(data)}.`;
    case 'const':
      return `${name} must be ${show(params.allowedValue)}, not ${show(data)}.`;
    case 'format':
      return `${name} must be a timestamp such as 2024-05-01T13:00:00.000Z, not ${show(data)}.`;
    case 'minLength':
      return params.limit === 1
        ? `${name} must not be empty.`
        : `${name} must have at least ${params.limit} characters.`;
    case 'maxLength':
      return `${name} must have at most ${params.limit} characters, not ${lengthOf(data)}.`;
    case 'minItems':
      return params.limit === 1
        ? `${name} must not be empty.`
        : `${name} must have at least ${params.limit} values.`;
    case 'maxItems':
      return `${name} must have at most ${params.limit} values, not ${lengthOf(data)}.`;
    case 'uniqueItems':
      return `${name} must not contain the same value twice.`;
    case 'minimum':
    case 'maximum':
      return `${name} must be ${codes ?? rangeOf(error.parentSchema)}, not ${show(data)}.`;
    default: {
      const hint = (error.parentSchema as { description?: string } | undefined)?.description;
      return `${name} has an invalid value: ${show(data)}.${hint ? ` ${hint}` : ''}`;
    }
  }
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...path, params.additionalProperty] : path;
}

/** Formats a path as `filters[0].field`. */
export function nameOf(path: readonly string[], at = ''): string {
  const name = path.reduce(
    (name, segment) =>
      /^\d+$/.test(segment)
        ? `${name}[${segment}]`
        : name
          ? `${name}.${printable(segment)}`
          : printable(segment),
    at,
  );
  return printable(name, 500);
}

function rangeOf(schema: unknown): string {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (minimum !== undefined && maximum !== undefined) return `between ${minimum} and ${maximum}`;
  return minimum !== undefined ? `at least ${minimum}` : `at most ${maximum}`;
}

function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

function lengthOf(value: unknown): number {
  return (value as string | unknown[]).length;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? quoted(value) : String(value);
}
