import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonOf } from './format.ts';
import { readRows } from './rows.ts';

const name = fc.string({ unit: 'grapheme' });
const rows = fc.array(fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true }), { maxLength: 5 });

test('reads the rows of any response and keeps every value verbatim', () => {
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

test('keeps digits beyond the precision of JavaScript numbers', () => {
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
])('rejects %j', (json) => {
  expect(readRows(json)).toBeUndefined();
});

test('rejects every truncation of a response', () => {
  const complete = '{"data":[{"A":"]}","B":[{}]},{"A":null,"B":{"c":"]}"}}]}';
  expect(readRows(complete)).toHaveLength(2);
  for (let end = 0; end < complete.length; end++) expect(readRows(complete.slice(0, end))).toBeUndefined();
});
