import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlainPattern, readPattern, rlikeMatcher } from './rlike.ts';

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
])('%j rlike %j is %s', (string, pattern, expected) => {
  expect(rlikeMatcher(pattern).matches(string)).toBe(expected);
});

describe('a pattern', () => {
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
    expect(readPattern(pattern)).toEqual({ fault });
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
    expect(readPattern(pattern)).toEqual({ size: rlikeMatcher(pattern).size });
  });
});

test('an expression that causes catastrophic backtracking elsewhere is fast', () => {
  expect(rlikeMatcher('(a+)+').matches(`${'a'.repeat(5_000)}b`)).toBe(false);
});

describe('a plain pattern', () => {
  test.each(['.*error.*', '(ann|ben)@.*', '[a-z0-9._-]+\\.example', ''])('is %j', (pattern) => {
    expect(isPlainPattern(pattern)).toBe(true);
  });

  test.each(['a{2}', '(?i)a', '(?:a)', '\\pL', '\\P{Lu}', '\\x{41}', 'é', '[Ā-￿]', 'a'.repeat(201), 'a\nb'])(
    'is not %j',
    (pattern) => {
      expect(isPlainPattern(pattern)).toBe(false);
    },
  );

  test('compiles to a program of about its own length', () => {
    const chunks = [
      'a',
      '.',
      '*',
      '+',
      '?',
      '|',
      '(',
      ')',
      '[a-z]',
      '[^a]',
      '\\w',
      '\\W',
      '\\d',
      '^',
      '$',
      '-',
    ];
    const patterns = fc
      .array(fc.constantFrom(...chunks), { maxLength: 200 })
      .map((parts) => parts.join('').slice(0, 200));
    fc.assert(
      fc.property(patterns, (pattern) => {
        fc.pre(isPlainPattern(pattern));
        const { size = 0 } = readPattern(pattern) as { size?: number };
        expect(size).toBeLessThanOrEqual(2 * pattern.length + 10);
      }),
    );
  });
});
