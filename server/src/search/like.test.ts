import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ilikeMatcher, likeMatcher } from './like.ts';

describe('like', () => {
  test.each([
    ['abc', 'abc', true],
    ['abc', 'ABC', false],
    ['abc', 'ab', false],
    ['abc', 'a%', true],
    ['abc', '%b%', true],
    ['abc', '_b_', true],
    ['abc', '__', false],
    ['', '%', true],
    ['', '', true],
    ['', '_', false],
    ['100%', '100%', true],
    ['1000', '100%', true],
    ['a%b', 'a\\%b', false],
    ['a\\xb', 'a\\%b', true],
    ['a\nb', 'a_b', true],
    ['a\nb\nc', '%b%', true],
    ['😀', '_', true],
    ['😀', '__', false],
    ['abab', '%ab', true],
    ['aab', '%ab', true],
    ['a*b', 'a*b', true],
    ['axb', 'a*b', false],
    ['axb', 'a?b', false],
  ])('%j like %j is %s', (string, pattern, expected) => {
    expect(likeMatcher(pattern)(string)).toBe(expected);
  });

  test('agrees with the recursive definition', () => {
    const string = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '\n', '😀'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(string, pattern, (string, pattern) => {
        expect(likeMatcher(pattern)(string)).toBe(define(Array.from(pattern), Array.from(string)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('a pattern with many % is fast', () => {
    expect(likeMatcher(`${'%a'.repeat(2_000)}b`)('a'.repeat(5_000))).toBe(false);
  });
});

describe('ilike', () => {
  test.each([
    ['DEFAULT EMAIL', 'default email', true],
    ['default', '%EMAIL', false],
    ['ÉCOLE', 'éc_le', true],
    ['ΟΔΟΣ', 'οδοσ', true],
    ['İ', '_', true],
    ['İ', 'i', false],
    ['İ', 'İ', true],
    ['straße', 'STRASSE', false],
    ['𐐀', '𐐨', true],
  ])('%j ilike %j is %s', (string, pattern, expected) => {
    expect(ilikeMatcher(pattern)(string)).toBe(expected);
  });
});

function define([first, ...rest]: string[], text: string[]): boolean {
  if (first === undefined) return text.length === 0;
  if (first === '%')
    return define(rest, text) || (text.length > 0 && define([first, ...rest], text.slice(1)));
  return text.length > 0 && (first === '_' || first === text[0]) && define(rest, text.slice(1));
}
