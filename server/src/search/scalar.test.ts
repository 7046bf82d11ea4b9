import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coerce, compare } from './scalar.ts';

describe('coerce', () => {
  test.each([
    [1.5, 'string', '1.5'],
    [1e21, 'string', '1e+21'],
    [true, 'string', 'true'],
    ['x', 'string', 'x'],
    ['12', 'number', 12],
    ['-0.5e3', 'number', -500],
    [true, 'number', 1],
    [false, 'number', 0],
    ['', 'number', undefined],
    [' 1', 'number', undefined],
    ['01', 'number', undefined],
    ['1.', 'number', undefined],
    ['.5', 'number', undefined],
    ['+1', 'number', undefined],
    ['0x10', 'number', undefined],
    ['Infinity', 'number', undefined],
    ['true', 'number', undefined],
    ['True', 'boolean', true],
    ['FALSE', 'boolean', false],
    ['1', 'boolean', true],
    ['0', 'boolean', false],
    [1, 'boolean', true],
    [0, 'boolean', false],
    [2, 'boolean', undefined],
    ['yes', 'boolean', undefined],
    ['', 'boolean', undefined],
    ['constructor', 'boolean', undefined],
  ] as const)('%j as a %s is %j', (value, kind, expected) => {
    expect(coerce(value, kind)).toBe(expected);
  });
});

describe('compare', () => {
  test('false comes before true', () => {
    expect(compare(false, true)).toBeLessThan(0);
  });

  test('characters beyond U+FFFF come after all others', () => {
    expect('\u{1f600}' < '\uffff').toBe(true);
    expect(compare('\u{1f600}', '\uffff')).toBeGreaterThan(0);
  });

  test('text is in the order of its code points', () => {
    const text = fc.string({
      unit: fc.constantFrom('', 'a', 'b', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'),
    });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compare(left, right))).toBe(compareCodePoints(Array.from(left), Array.from(right)));
      }),
    );
  });
});

function compareCodePoints([left, ...lefts]: string[], [right, ...rights]: string[]): number {
  if (left === undefined || right === undefined)
    return Number(left !== undefined) - Number(right !== undefined);
  const difference = (left.codePointAt(0) ?? 0) - (right.codePointAt(0) ?? 0);
  return Math.sign(difference) || compareCodePoints(lefts, rights);
}
