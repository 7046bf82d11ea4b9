import type { Checked } from '../check/checked.ts';
import { finiteOrNull, type Numeric, wholeOrNull } from './numbers.ts';

/**
 * A term of `+`, `-`, `*` and `%` is exact if all operands are integers, else computed in doubles. A quotient is an operand
 * of type double.
 */
export function calculate(checked: Checked, value: (checked: Checked) => Numeric | null): Numeric | null {
  if (checked.kind === 'computed' && checked.operator === '/') {
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

const isTerm = (checked: Checked) =>
  checked.kind === 'negated' || (checked.kind === 'computed' && checked.operator !== '/');

function leavesOf(checked: Checked): Checked[] {
  if (!isTerm(checked)) return [checked];
  if (checked.kind === 'negated') return leavesOf(checked.of);
  return checked.kind === 'computed' ? [checked.left, checked.right].flatMap(leavesOf) : [];
}

/** Null on 64-bit overflow of any intermediate result. */
function exact(checked: Checked, leaf: (checked: Checked) => bigint): bigint | null {
  if (checked.kind === 'negated') {
    const of = exact(checked.of, leaf);
    return of === null ? null : wholeOrNull(-of);
  }
  if (checked.kind !== 'computed' || checked.operator === '/') return leaf(checked);
  const [left, right] = [exact(checked.left, leaf), exact(checked.right, leaf)];
  if (left === null || right === null) return null;
  switch (checked.operator) {
    case '+':
      return wholeOrNull(left + right);
    case '-':
      return wholeOrNull(left - right);
    case '*':
      return wholeOrNull(left * right);
    case '%':
      // Engines divide first, and the lowest integer divided by -1 overflows.
      return right === 0n || wholeOrNull(left / right) === null ? null : left % right;
  }
}

function inexact(checked: Checked, leaf: (checked: Checked) => number): number {
  if (checked.kind === 'negated') return 0 - inexact(checked.of, leaf);
  if (checked.kind !== 'computed' || checked.operator === '/') return leaf(checked);
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
