import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from './parser.ts';
import { readString, writeString } from './strings.ts';
import type { StringForm } from './tree.ts';

const forms: readonly StringForm[] = ['plain', 'escaped', 'legacy'];

/** Value and problems of a string literal. */
function read(literal: string): unknown {
  const { document, problems } = parse(`{ source { A } return { ${literal} as B } }`);
  const [item] = document?.body.kind === 'block' ? document.body.items : [];
  const value = item?.kind === 'value' && item.value.kind === 'string' ? item.value.value : undefined;
  return problems.length === 0 ? value : { value, severities: problems.map(({ severity }) => severity) };
}

describe('a string', () => {
  test.each([
    [`s'it''s \\n \\'`, "it's \\n \\"],
    [`S'x'`, 'x'],
    [`s''`, ''],
    [`"\\"\\\\\\b\\f\\n\\r\\t\\u00e9'"`, '"\\\b\f\n\r\té\''],
    [`"two\nlines"`, 'two\nlines'],
    [`'it\\'s' `, "it's"],
    [`'it''s'`, "it's"],
    [`'\\\\'`, '\\'],
    [`'say \\"so\\"'`, 'say "so"'],
  ])('%s has the right value', (literal, value) => {
    expect(read(literal)).toBe(value);
  });

  test.each([
    [`'\\d+'`, { value: 'd+', severities: ['warning'] }],
    [`'C:\\new\\u0041'`, { value: 'C:\newA', severities: ['warning'] }],
    [`"\\d"`, { value: 'd', severities: ['error'] }],
    [`"\\u12g4\\'"`, { value: "u12g4'", severities: ['error', 'error'] }],
    [`"a\\u0000"`, { value: 'a\0', severities: ['error'] }],
  ])('%s gives a warning or an error', (literal, expected) => {
    expect(read(literal)).toEqual(expected);
  });

  test('in single quotes with a backslash has a fix without escapes', () => {
    const text = `{ source { A } filter { B rlike '\\\\d''\\'\\w' } return { B } }`;
    const [problem] = parse(text).problems;
    expect(problem?.fix?.text).toBe(`s'\\\\d''''\\w'`);
  });

  test('that is not closed ends with the input', () => {
    for (const form of forms) {
      expect(readString(`'"x`, form === 'escaped' ? 1 : 0, form)).toMatchObject({ closed: false, end: 3 });
    }
  });

  test('round-trips in every form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...forms), (value, form) => {
        const text = writeString(value, form);
        const open = form === 'plain' ? 1 : 0;
        expect(readString(`${text} '"`, open, form)).toMatchObject({ value, end: text.length, closed: true });
      }),
    );
  });
});
