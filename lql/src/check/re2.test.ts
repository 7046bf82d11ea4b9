import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { unsupportedSyntax } from './re2.ts';

const isCompiled = (pattern: string) => {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
};

describe('patterns that RE2 accepts are accepted', () => {
  test.each([
    ...[
      '',
      'a',
      '.*',
      '^a$',
      'a|b|',
      '(a)(?:b)(?P<n>c)',
      '(?i)a(?s-m:b)',
      'a*?b+?c??',
      'a{2}b{2,}c{2,5}?',
      'a{x}{',
    ],
    ...[
      '[a-z]',
      '[^]a]',
      '[]a]',
      '[[:alpha:]_]',
      '[\\d\\]-]',
      '\\.\\*\\/\\-\\_',
      '\\bword\\b',
      '\\x41\\x{1F600}\\012',
    ],
    ...[
      '\\pL\\p{Greek}\\PN',
      '\\Qa.b*\\E+',
      '\\Q(',
      '(a{10}){100}',
      '(?:a*)*',
      'é{3}',
      '\\A\\z',
      '[a-]',
      '[😀-😎]',
    ],
  ])('%s', (pattern) => {
    expect(unsupportedSyntax(pattern)).toBeUndefined();
    expect(isCompiled(pattern)).toBe(true);
  });
});

describe('patterns that RE2 rejects are rejected at the unsupported part', () => {
  test.each([
    ['a(?=b)', 1, '(?=', 'lookahead'],
    ['(?!b)', 0, '(?!', 'lookahead'],
    ['a(?<=b)', 1, '(?<=', 'lookahead'],
    ['(?<!b)', 0, '(?<!', 'lookahead'],
    ['(a)\\1', 3, '\\1', 'backreferences'],
    ['(?P<n>a)(?P=n)', 8, '(?P=', 'backreferences'],
    ['\\k<n>', 0, '\\k', 'backreferences'],
    ['(?>a)', 0, '(?>', 'atomic'],
    ['a++', 2, '+', 'possessive'],
    ['a{2}{3}', 4, '{3}', 'possessive'],
    ['*a', 0, '*', 'nothing to repeat'],
    ['a|+', 2, '+', 'nothing to repeat'],
    ['(?i)*', 4, '*', 'nothing to repeat'],
    ['a{1001}', 1, '{1001}', '1000'],
    ['(a{100}){11}', 8, '{11}', '1000'],
    ['a{3,2}', 1, '{3,2}', 'must not exceed'],
    ['(a', 0, '(', 'not closed'],
    ['a)', 1, ')', 'no open group'],
    ['[a', 0, '[', 'not closed'],
    ['[z-a]', 1, 'z-a', 'range'],
    ['[[:letter:]]', 1, '[:letter:]', 'class'],
    ['a\\', 1, '\\', 'backslash'],
    ['a\\Z', 1, '\\Z', 'remove'],
    ['\\h', 0, '\\h', 'escape'],
    ['[\\b]', 1, '\\b', 'escape'],
    ['(?x)a', 0, '(?x', 'group'],
  ])('%s', (pattern, start, part, message) => {
    const unsupported = unsupportedSyntax(pattern);
    expect(unsupported?.message).toContain(message);
    expect([unsupported?.start, pattern.slice(unsupported?.start, unsupported?.end)]).toEqual([start, part]);
    expect(isCompiled(pattern)).toBe(false);
  });
});

/** Pattern fragments, valid and invalid. */
const fragments = [
  ...[
    'a',
    'b',
    'é',
    '😀',
    ' ',
    '.',
    '^',
    '$',
    '|',
    '(',
    ')',
    '(?:',
    '(?i)',
    '(?i:',
    '(?P<n>',
    '(?=',
    '(?<!',
    '(?>',
    '(?',
  ],
  ...[
    '*',
    '+',
    '?',
    '{',
    '}',
    '{2}',
    '{2,}',
    '{3,2}',
    '{1001}',
    ',',
    '[',
    ']',
    '[^',
    '-',
    '[:alpha:]',
    '[:no:]',
    ':',
  ],
  ...[
    '\\',
    '\\d',
    '\\b',
    '\\.',
    '\\1',
    '\\12',
    '\\0',
    '\\x41',
    '\\x{41}',
    '\\pL',
    '\\Q',
    '\\E',
    '\\A',
    '\\z',
    '\\Z',
    '\\h',
  ],
];

/** Fragments of character classes. */
const members = [
  '[',
  '[',
  '[^',
  ']',
  ']',
  'a',
  'z',
  '-',
  '\\d',
  '\\pL',
  '\\x41',
  '\\n',
  '\\]',
  '\\b',
  '[:alpha:]',
  '^',
  '😀',
  '*',
];

test.each([
  ['patterns', fragments],
  ['classes', members],
])('accepted patterns are those that RE2 compiles: %s', (_, fragments) => {
  const pattern = fc.array(fc.constantFrom(...fragments), { maxLength: 9 }).map((parts) => parts.join(''));
  // Duplicate group names are left to the engine: queries have no use for group names.
  const hasDuplicateName = (text: string) => text.split('(?P<n>').length > 2;
  fc.assert(
    fc.property(
      pattern.filter((text) => !hasDuplicateName(text)),
      (text) => {
        expect({ text, isAccepted: unsupportedSyntax(text) === undefined }).toEqual({
          text,
          isAccepted: isCompiled(text),
        });
      },
    ),
    { numRuns: Number(process.env.VEDETTE_FUZZ ?? 1000) },
  );
});

test('any input is checked without an exception, and the rejected part is within it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const unsupported = unsupportedSyntax(text);
      if (unsupported)
        expect(
          0 <= unsupported.start && unsupported.start <= unsupported.end && unsupported.end <= text.length,
        ).toBe(true);
    }),
  );
});
