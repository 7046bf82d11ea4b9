import { expect, test } from 'vitest';
import { shortened, widthOf } from './width.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['é', 1],
  ['数据', 4],
  ['한글', 4],
  ['👩‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['ｆ', 2],
  ['…', 1],
])('%j takes %i columns', (string, width) => {
  expect(widthOf(string)).toBe(width);
});

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['数据数据', 8, '数据数据'],
  ['数据数据', 7, '数据数…'],
  ['数据数据', 6, '数据…'],
  ['ééé', 2, 'é…'],
])('%j in %i columns is %j', (string, maxWidth, short) => {
  expect(shortened(string, maxWidth)).toBe(short);
  expect(widthOf(short)).toBeLessThanOrEqual(maxWidth);
});
