export type Scalar = string | number | boolean;

export type Kind = 'string' | 'number' | 'boolean';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * The value as the kind of what is stored, because clients send numbers and booleans as text and the other way
 * round. Undefined when it can not be read as that kind.
 */
export function coerce(value: Scalar, kind: Kind): Scalar | undefined {
  if (kind === 'string') return textOf(value);
  if (kind === 'boolean') return truths.get(textOf(value).toLowerCase());
  return typeof value !== 'string' || jsonNumber.test(value) ? Number(value) : undefined;
}

/** Negative, zero or positive, for two values of one kind: text by code point, false before true. */
export function compare(left: Scalar, right: Scalar): number {
  if (typeof left === 'string' && typeof right === 'string') {
    // UTF-8 bytes sort as code points do, and as both stores do; UTF-16 would put astral characters too low.
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left === right ? 0 : left < right ? -1 : 1;
}

/** What text operators look at: text itself, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
