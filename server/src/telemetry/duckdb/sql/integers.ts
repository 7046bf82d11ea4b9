import type { ScalarTest } from '../../../search/operators.ts';

/** A bigint, or a number that is fractional or infinite. */
export type Exact = bigint | number;

type Limits = readonly [bigint, bigint];

/** The first and last integer within the limits that satisfy the test; exact, because a double can not hold 64 bits. */
export function integersOf(
  test: Exclude<ScalarTest, 'eq' | 'in'>,
  [first, second]: readonly Exact[],
  [least, greatest]: Limits,
): Limits {
  const value = first as Exact;
  const floor = (exact: Exact) => clamp(exact, Math.floor, least - 1n, greatest + 1n);
  const ceiling = (exact: Exact) => clamp(exact, Math.ceil, least - 1n, greatest + 1n);
  const [from, to] = {
    gt: () => [floor(value) + 1n, greatest] as const,
    ge: () => [ceiling(value), greatest] as const,
    lt: () => [least, ceiling(value) - 1n] as const,
    le: () => [least, floor(value)] as const,
    between: () => [ceiling(value), floor(second as Exact)] as const,
  }[test]();
  return [from < least ? least : from, to > greatest ? greatest : to];
}

function clamp(value: Exact, round: (value: number) => number, lower: bigint, upper: bigint): bigint {
  if (value <= lower) return lower;
  if (value >= upper) return upper;
  return typeof value === 'bigint' ? value : BigInt(round(value));
}
