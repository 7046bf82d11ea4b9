import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonValues } from './json-values.ts';

/** The values that are found if the text arrives in chunks of a size. */
function found(text: string, size: number, array?: string, maxLength = 1_000_000) {
  const values = new JsonValues({ array, maxLength });
  const bytes = Buffer.from(text);
  const result: (string | undefined)[] = [];
  for (let at = 0; at < bytes.length; at += size) result.push(...values.push(bytes.subarray(at, at + size)));
  values.finish();
  return result;
}

const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 6 });

test('every value is found as it was written, in chunks of any size', () => {
  fc.assert(
    fc.property(
      objects,
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom('', '\n', ' , '),
      (all, size, between) => {
        const texts = all.map((each) => JSON.stringify(each));
        expect(found(texts.join(between), size)).toEqual(texts);
        const whole = JSON.stringify({ before: [{ Records: [1] }], Records: all, after: 'Records' });
        expect(found(whole, size, 'Records')).toEqual(texts);
      },
    ),
  );
});

test('a value that is too long is passed over without being kept', () => {
  expect(found(`{"a":"${'x'.repeat(200)}"}{"b":1}`, 7, undefined, 100)).toEqual([undefined, '{"b":1}']);
});

test.each([
  ['text', undefined, 'is not JSON'],
  ['"string"', undefined, 'is not JSON'],
  ['[{}]', undefined, 'is not JSON'],
  ['{"a":1}}', undefined, 'is not valid JSON: a bracket is closed that was never opened'],
  ['{"a":[1,2', undefined, 'is truncated: its JSON is not complete'],
  ['{"Other":[{}]}', 'Records', 'has no array "Records"'],
  ['{"Records":[1,2]}', 'Records', 'has values in "Records" that are not objects'],
  ['{"Records":[[{}]]}', 'Records', 'has values in "Records" that are not objects'],
])('%s with the array %s is refused', (text, array, message) => {
  expect(() => found(text, 3, array)).toThrow(message);
});
