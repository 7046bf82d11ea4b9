import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coerce, compare, readNumber, textOf } from './scalar.ts';

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
    [2n ** 63n, 'number', 2 ** 63],
    ['9223372036854775807', 'integer', 9223372036854775807n],
    ['-0', 'integer', 0n],
    ['1e3', 'integer', 1000n],
    ['5.0', 'integer', 5n],
    [7, 'integer', 7n],
    [true, 'integer', 1n],
    ['1.5', 'integer', 1.5],
    ['1e999', 'integer', Number.POSITIVE_INFINITY],
    ['x', 'integer', undefined],
    [9223372036854775807n, 'string', '9223372036854775807'],
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
  ] as const)('%s as a %s is %s', (value, kind, expected) => {
    expect(coerce(value, kind)).toBe(expected);
  });
});

test.each([
  ['5', 5],
  ['-0.5', -0.5],
  ['9007199254740992', 2 ** 53],
  ['9007199254740993', 2n ** 53n + 1n],
  ['x', undefined],
] as const)('%s is read as the number %s', (value, expected) => {
  expect(readNumber(value)).toBe(expected);
});

test('the string form of 64-bit integers keeps all digits', () => {
  expect(textOf({ a: [9223372036854775807n, null, undefined, 'x"'], b: undefined, c: 1.5 })).toBe(
    '{"a":[9223372036854775807,null,null,"x\\""],"c":1.5}',
  );
});

describe('compare', () => {
  test('a bigint and a number are compared by their value', () => {
    expect(compare(2n ** 53n, 2 ** 53)).toBe(0);
    expect(compare(2n ** 53n + 1n, 2 ** 53)).toBeGreaterThan(0);
    expect(compare(2n ** 63n, Number.POSITIVE_INFINITY)).toBeLessThan(0);
  });

  test('false comes before true', () => {
    expect(compare(false, true)).toBeLessThan(0);
  });

  test('characters beyond U+FFFF come after all others', () => {
    expect('\u{1f600}' < '\uffff').toBe(true);
    expect(compare('\u{1f600}', '\uffff')).toBeGreaterThan(0);
  });

  test('strings are ordered by code points', () => {
    const string = fc.string({
      unit: fc.constantFrom('', 'a', 'b', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'),
    });
    fc.assert(
      fc.property(string, string, (left, right) => {
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
