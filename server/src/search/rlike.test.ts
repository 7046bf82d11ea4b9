import { describe, expect, test } from 'vitest';
import { rlikeFault, rlikeMatcher } from './rlike.ts';

test.each([
  ['abc', 'abc', true],
  ['abc', 'b', false],
  ['abc', '.*b.*', true],
  ['abc', 'a|abc', true],
  ['ABC', 'abc', false],
  ['ABC', '(?i)abc', true],
  ['one\ntwo\nthree', '.*two.*', true],
  ['one\ntwo', '(?-s).*two', false],
  ['abc\n', 'abc', false],
  ['😀', '.', true],
  ['', '', true],
])('%j rlike %j is %s', (text, pattern, expected) => {
  expect(rlikeMatcher(pattern)(text)).toBe(expected);
});

describe('rlikeFault', () => {
  test.each([
    ['(a', 'missing closing ): (a'],
    ['[z-a]', 'invalid character class range: z-a'],
    ['(?=a)', 'invalid or unsupported Perl syntax: (?='],
    ['(a)\\1', 'invalid escape sequence: \\1'],
    ['a{1001}', 'invalid repeat count: {1001}'],
    ['a\\', 'trailing backslash at end of expression'],
    ['[\\p{Emoji}]', 'unknown property: Emoji'],
    ['a\\P{^white_space}', 'unknown property: white_space'],
    ['a'.repeat(1_001), 'longer than 1000 characters'],
    ['a{1000}'.repeat(6), 'too many repetitions'],
  ])('%s is refused', (pattern, fault) => {
    expect(rlikeFault(pattern)).toBe(fault);
  });

  test.each([
    '',
    '.*',
    '\\p{Greek}\\pL',
    '\\Q\\p{Emoji}\\E',
    '\\\\p{2}',
    '(?i)a+',
    'a'.repeat(1_000),
    '(a+)+$',
    `${'('.repeat(400)}a${')'.repeat(400)}`,
  ])('%s is accepted', (pattern) => {
    expect(rlikeFault(pattern)).toBeUndefined();
  });
});

test('an expression that makes others explode takes no time', () => {
  expect(rlikeMatcher('(a+)+')(`${'a'.repeat(5_000)}b`)).toBe(false);
});
