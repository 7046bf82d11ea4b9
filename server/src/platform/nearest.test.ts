import { expect, test } from 'vitest';
import { nearest, suggestion } from './nearest.ts';

const known = ['PATH', 'FILE_NAME', 'FILE_TYPE', 'MID', 'RESOURCE_REGION'];

test.each([
  ['PTH', ['PATH']],
  ['path', ['PATH']],
  ['FILE_NAM', ['FILE_NAME', 'FILE_TYPE']],
  ['FILE', ['FILE_NAME', 'FILE_TYPE']],
  ['REGION', ['RESOURCE_REGION']],
  ['qqqqqqqq', []],
  ['', []],
])('nearest to %s is %j', (name, similar) => {
  expect(nearest(name, known)).toEqual(similar);
});

test('closer names come first, also among names that contain it', () => {
  expect(nearest('FILE_NAMES', ['FILE', 'FILE_NAME'])).toEqual(['FILE_NAME', 'FILE']);
});

test('the number of names is limited', () => {
  expect(nearest('FILE', known, 1)).toEqual(['FILE_NAME']);
});

test('the suggestion lists similar names or gives another hint', () => {
  expect(suggestion('PTH', known, 'look it up.')).toBe('Did you mean PATH?');
  expect(suggestion('qqqqqqqq', known, 'look it up.')).toBe('look it up.');
});
