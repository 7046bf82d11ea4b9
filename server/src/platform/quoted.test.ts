import { expect, test } from 'vitest';
import { quoted } from './quoted.ts';

test.each([
  ['plain', "'plain'"],
  ['Größe 💩', "'Größe 💩'"],
  ['a\nb\u001b[31m', "'a\\u{a}b\\u{1b}[31m'"],
  ['\u202egnp.exe', "'\\u{202e}gnp.exe'"],
  ['\ud83d', "'\\u{d83d}'"],
  ['x'.repeat(61), `'${'x'.repeat(60)}…'`],
])('%j is shown as %s', (value, expected) => {
  expect(quoted(value)).toBe(expected);
});
