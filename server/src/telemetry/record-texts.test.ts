import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostRecords, recordTexts } from './record-texts.ts';

describe('the records of a body', () => {
  test('are the elements of an array as they are written', () => {
    expect(recordTexts('array', ' [ {"a" : "],{" , "b":[1.10,{}]} ,{"c":"\\"\\\\"}\n] ')).toEqual([
      '{"a" : "],{" , "b":[1.10,{}]}',
      '{"c":"\\"\\\\"}',
    ]);
  });

  test('mean what the array means, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.constantFrom(undefined, 1),
        (values, indent) => {
          const texts = recordTexts('array', JSON.stringify(values, null, indent));
          expect(texts.map((text) => JSON.parse(text))).toEqual(
            values.map((value) => JSON.parse(JSON.stringify(value))),
          );
        },
      ),
    );
  });

  test('are lines, with empty ones left out', () => {
    expect(recordTexts('lines', '{"a":1}\r\n\n {"b":2}\n')).toEqual(['{"a":1}', '{"b":2}']);
  });

  test.each([
    ['array', '{}', 'not a JSON array'],
    ['array', '[', 'not a JSON array'],
    ['array', '[ ]', 'holds no records'],
    ['lines', '\n \n', 'holds no records'],
    ['lines', '{}\n'.repeat(mostRecords + 1), `more than ${mostRecords} records`],
  ] as const)('are refused in %s %j', (form, text, message) => {
    expect(() => recordTexts(form, text)).toThrow(message);
  });
});
