import { expect, test } from 'vitest';
import { isOperator, operatorNames, testOf, usableOperators } from './operators.ts';

test('there are 16 operators, of which expr is reserved', () => {
  expect(operatorNames).toHaveLength(16);
  expect(usableOperators).toEqual(operatorNames.filter((name) => name !== 'expr'));
  expect(testOf('expr')).toBeUndefined();
});

test.each([
  ['ne', 'eq'],
  ['not_in', 'in'],
  ['not_like', 'like'],
  ['not_ilike', 'ilike'],
  ['not_rlike', 'rlike'],
] as const)('%s is the negation of %s', (negated, positive) => {
  expect(testOf(negated)).toEqual({ test: positive, negated: true });
  expect(testOf(positive)).toEqual({ test: positive, negated: false });
});

test.each(['', 'EQ', 'equals', 'constructor', '__proto__'])('%j is not an operator', (name) => {
  expect(isOperator(name)).toBe(false);
});
