/** A bigint is an integer that a number can not hold; it has up to 64 bits where a store keeps it. */
export type Scalar = string | number | boolean | bigint;

export type Kind = 'string' | 'number' | 'integer' | 'boolean';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const jsonInteger = /^-?(?:0|[1-9]\d*)$/;

/** Far beyond every number that a record holds; reading more of them exactly would take long. */
const mostDigits = 400;

const truths = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * The value as the kind of what is stored, because clients send numbers and booleans as text and the other way
 * round. Undefined when it can not be read as that kind. For an integer that is a bigint, or a number when the value
 * lies between integers or beyond all of them.
 */
export function coerce(value: Scalar, kind: Kind): Scalar | undefined {
  if (kind === 'string') return textOf(value);
  if (kind === 'boolean') return truths.get(textOf(value).toLowerCase());
  if (kind === 'integer') return coerceExactly(value);
  return typeof value !== 'string' || jsonNumber.test(value) ? Number(value) : undefined;
}

function coerceExactly(value: Scalar): bigint | number | undefined {
  const isExact = typeof value === 'string' && value.length <= mostDigits && jsonInteger.test(value);
  if (isExact) return BigInt(value);
  if (typeof value === 'bigint') return value;
  const number = coerce(value, 'number') as number | undefined;
  return Number.isInteger(number) ? BigInt(number as number) : number;
}

/** The value as a number, or as a bigint when the number would be another integer. */
export function readNumber(value: Scalar): number | bigint | undefined {
  const number = coerce(value, 'number') as number | undefined;
  const exact = coerceExactly(value);
  return typeof exact === 'bigint' && compare(exact, number ?? 0) !== 0 ? exact : number;
}

/** Negative, zero or positive, for two values of one kind: text by code point, false before true. */
export function compare(left: Scalar, right: Scalar): number {
  if (typeof left === 'string' && typeof right === 'string') {
    // UTF-8 bytes sort as code points do, and as both stores do; UTF-16 would put astral characters too low.
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  // Not ===, which tells a bigint from a number of the same value.
  return left < right ? -1 : left <= right ? 0 : 1;
}

/** What text operators look at: text itself, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

/** JSON.stringify does not write bigints. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((element) => jsonOf(element ?? null)).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join()}}`;
}
