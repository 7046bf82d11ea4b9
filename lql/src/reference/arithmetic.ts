import type { CheckedExpression } from '../check/checked.ts';
import { finiteOrNull, int64OrNull, type Numeric } from './numbers.ts';

/**
 * A term of `+`, `-`, `*` and `%` is exact if all operands are integers, else computed in doubles. A quotient is an operand
 * of type double.
 */
export function calculate(
  checked: CheckedExpression,
  value: (checked: CheckedExpression) => Numeric | null,
): Numeric | null {
  if (checked.kind === 'arithmetic' && checked.operator === '/') {
    const [left, right] = [value(checked.left), value(checked.right)];
    return left === null || right === null ? null : finiteOrNull(Number(left) / Number(right));
  }
  const numbers = new Map(leavesOf(checked).map((leaf) => [leaf, value(leaf)]));
  const all = [...numbers.values()];
  if (all.includes(null)) return null;
  if (all.every((number) => typeof number === 'bigint'))
    return exact(checked, (leaf) => numbers.get(leaf) as bigint);
  return finiteOrNull(inexact(checked, (leaf) => Number(numbers.get(leaf))));
}

const isTerm = (checked: CheckedExpression) =>
  checked.kind === 'negative' || (checked.kind === 'arithmetic' && checked.operator !== '/');

function leavesOf(checked: CheckedExpression): CheckedExpression[] {
  if (!isTerm(checked)) return [checked];
  if (checked.kind === 'negative') return leavesOf(checked.of);
  return checked.kind === 'arithmetic' ? [checked.left, checked.right].flatMap(leavesOf) : [];
}

/** Null on 64-bit overflow of any intermediate result. */
function exact(checked: CheckedExpression, leaf: (checked: CheckedExpression) => bigint): bigint | null {
  if (checked.kind === 'negative') {
    const of = exact(checked.of, leaf);
    return of === null ? null : int64OrNull(-of);
  }
  if (checked.kind !== 'arithmetic' || checked.operator === '/') return leaf(checked);
  const [left, right] = [exact(checked.left, leaf), exact(checked.right, leaf)];
  if (left === null || right === null) return null;
  switch (checked.operator) {
    case '+':
      return int64OrNull(left + right);
    case '-':
      return int64OrNull(left - right);
    case '*':
      return int64OrNull(left * right);
    case '%':
      // Engines divide first, and the lowest integer divided by -1 overflows.
      return right === 0n || int64OrNull(left / right) === null ? null : left % right;
  }
}

function inexact(checked: CheckedExpression, leaf: (checked: CheckedExpression) => number): number {
  if (checked.kind === 'negative') return 0 - inexact(checked.of, leaf);
  if (checked.kind !== 'arithmetic' || checked.operator === '/') return leaf(checked);
  const [left, right] = [inexact(checked.left, leaf), inexact(checked.right, leaf)];
  switch (checked.operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '%':
      return left % right;
  }
}
