import { expect, test } from 'vitest';
import { xml } from './xml.ts';

test('what would end an attribute, an element or a section is escaped', () => {
  expect(xml(`a"b'c<d>&]]>\n\t`)).toBe('a&#34;b&#39;c&#60;d&#62;&#38;]]&#62;&#10;&#9;');
});

test('what XML can not have is written out', () => {
  expect(xml('a\u0000b\u001b[31m\ufffe')).toBe('a\\u0000b\\u001b[31m\\ufffe');
  expect(xml('half \ud800')).toBe('half \ufffd');
  expect(xml('whole 😀')).toBe('whole 😀');
});
