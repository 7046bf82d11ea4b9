import type { ScalarTest } from '../../../search/operators.ts';

/** A bigint, or a number that is fractional or infinite. */
export type Exact = bigint | number;

type Limits = readonly [bigint, bigint];

/** The first and last integer within the limits that satisfy the test; exact, because a double can not hold 64 bits. */
export function integersOf(
  test: Exclude<ScalarTest, 'eq' | 'in'>,
  [first, second]: readonly Exact[],
  [min, max]: Limits,
): Limits {
  const value = first as Exact;
  const floor = (exact: Exact) => clamp(exact, Math.floor, min - 1n, max + 1n);
  const ceiling = (exact: Exact) => clamp(exact, Math.ceil, min - 1n, max + 1n);
  const [from, to] = {
    gt: () => [floor(value) + 1n, max] as const,
    ge: () => [ceiling(value), max] as const,
    lt: () => [min, ceiling(value) - 1n] as const,
    le: () => [min, floor(value)] as const,
    between: () => [ceiling(value), floor(second as Exact)] as const,
  }[test]();
  return [from < min ? min : from, to > max ? max : to];
}

function clamp(value: Exact, round: (value: number) => number, lower: bigint, upper: bigint): bigint {
  if (value <= lower) return lower;
  if (value >= upper) return upper;
  return typeof value === 'bigint' ? value : BigInt(round(value));
}
