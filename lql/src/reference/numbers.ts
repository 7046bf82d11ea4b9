import type { CheckedComparison } from '../check/checked.ts';

/** A 64-bit integer, or a double. */
export type Numeric = bigint | number;

const [minInt64, maxInt64] = [-(2n ** 63n), 2n ** 63n - 1n];
const isInt64 = (value: bigint) => value >= minInt64 && value <= maxInt64;

export const int64OrNull = (value: bigint): bigint | null => (isInt64(value) ? value : null);
export const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

export function numberOfString(string: string): Numeric | null {
  const match = /^[ \t\n\r\f\v]*([+-]?(?:\d+(\.\d*)?|(\.\d+))([eE][+-]?\d+)?)[ \t\n\r\f\v]*$/.exec(string);
  if (!match?.[1]) return null;
  const [, digits, point, start, exponent] = match;
  const integer = !point && !start && !exponent ? int64OrNull(BigInt(digits.replace(/^\+/, ''))) : null;
  return integer ?? finiteOrNull(Number(digits));
}

/** Shortest representation, with an exponent for many zeros. */
export function stringOfNumber(value: Numeric): string {
  if (typeof value === 'bigint') return value.toString();
  if (Number.isInteger(value) && isInt64(BigInt(value))) return BigInt(value).toString();
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16)
    return value.toFixed(Math.max(0, (digits.split('.')[1] ?? '').length - power));
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

export function truncated(value: Numeric): bigint | null {
  return typeof value === 'bigint' ? value : int64OrNull(BigInt(Math.trunc(value)));
}

export function rounded(value: Numeric): bigint | null {
  if (typeof value === 'bigint') return value;
  return int64OrNull(BigInt(Math.sign(value) * Math.round(Math.abs(value))));
}

/** Integers exactly, everything else as doubles. */
export function compareNumbers(left: Numeric, right: Numeric): number {
  const [a, b] = typeof left === typeof right ? [left, right] : [Number(left), Number(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

export function satisfiesOrder(operator: CheckedComparison['operator'], order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}
