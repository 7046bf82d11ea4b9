/** A bigint is an integer that a number can not represent exactly; stored ones have up to 64 bits. */
export type Scalar = string | number | boolean | bigint;

export type Kind = 'string' | 'number' | 'integer' | 'boolean';

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const jsonInteger = /^-?(?:0|[1-9]\d*)$/;

/** Far more than any stored number has; converting longer ones exactly would be slow. */
const maxDigits = 400;

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/**
 * Converts a value to the kind of the stored one, because clients send numbers and booleans as strings and vice versa.
 * Undefined if it can not be converted. For an integer the result is a bigint, or a number if the value is fractional
 * or infinite.
 */
export function coerce(value: Scalar, kind: Kind): Scalar | undefined {
  if (kind === 'string') return textOf(value);
  if (kind === 'boolean') return booleans.get(textOf(value).toLowerCase());
  if (kind === 'integer') return coerceExactly(value);
  return typeof value !== 'string' || jsonNumber.test(value) ? Number(value) : undefined;
}

function coerceExactly(value: Scalar): bigint | number | undefined {
  const isExact = typeof value === 'string' && value.length <= maxDigits && jsonInteger.test(value);
  if (isExact) return BigInt(value);
  if (typeof value === 'bigint') return value;
  const number = coerce(value, 'number') as number | undefined;
  return Number.isInteger(number) ? BigInt(number as number) : number;
}

/** The value as a number, or as a bigint if the number would be inexact. */
export function readNumber(value: Scalar): number | bigint | undefined {
  const number = coerce(value, 'number') as number | undefined;
  const exact = coerceExactly(value);
  return typeof exact === 'bigint' && compare(exact, number ?? 0) !== 0 ? exact : number;
}

/** Compares two values of one kind: strings by code point, false before true. */
export function compare(left: Scalar, right: Scalar): number {
  if (typeof left === 'string' && typeof right === 'string') {
    // UTF-8 bytes sort by code point, as in both databases; UTF-16 sorts astral characters too low.
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  // Not ===, which distinguishes a bigint from an equal number.
  return left < right ? -1 : left <= right ? 0 : 1;
}

/** The string form that string operators match: strings themselves, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

/** JSON.stringify does not support bigints. */
function jsonOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((element) => jsonOf(element ?? null)).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${jsonOf(member)}`).join()}}`;
}
