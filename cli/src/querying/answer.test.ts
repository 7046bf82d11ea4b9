import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRows } from './answer.ts';
import { jsonOf } from './shown.ts';

const name = fc.string({ unit: 'grapheme' });
const rows = fc.array(fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true }), { maxLength: 5 });

test('reads the rows of any answer, and gives every value as it came', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const read = readRows(JSON.stringify({ data: given }));
      expect(read?.map((row) => [...row])).toEqual(
        given.map((row) => Object.entries(row).map(([name, value]) => [name, JSON.stringify(value)])),
      );
      expect(JSON.parse(jsonOf(read ?? []))).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

test('keeps digits that a number of JavaScript has no room for', () => {
  const [row] = readRows('{"data":[{"N":18446744073709551615,"J":{"n":[1.10,9007199254740993]}}]}') ?? [];
  expect([...(row ?? [])]).toEqual([
    ['N', '18446744073709551615'],
    ['J', '{"n":[1.10,9007199254740993]}'],
  ]);
});

test.each([
  '',
  '{}',
  '{"data":[',
  '{"data":[{"A":1}',
  '{"data":[{"A":"]}',
  '{"data":[1]}',
  '{"data":[{"A":1}x]}',
])('takes %j for no answer', (text) => {
  expect(readRows(text)).toBeUndefined();
});

test('takes no part of an answer for the whole', () => {
  const whole = '{"data":[{"A":"]}","B":[{}]},{"A":null,"B":{"c":"]}"}}]}';
  expect(readRows(whole)).toHaveLength(2);
  for (let end = 0; end < whole.length; end++) expect(readRows(whole.slice(0, end))).toBeUndefined();
});
