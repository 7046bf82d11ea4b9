import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExact, stringifyExact } from './exact-json.ts';

test('64-bit integers keep their precision anywhere in the document', () => {
  const text =
    '[{"MID":-9223372036854775808,"NEAR":9007199254740991,"IN":{"list":[18446744073709551615,1]},"TEXT":"\\"12345678901234567890,12345678901234567890"}]';
  expect(parseExact(text)).toEqual([
    {
      MID: -9223372036854775808n,
      NEAR: 9007199254740991,
      IN: { list: [18446744073709551615n, 1] },
      TEXT: '"12345678901234567890,12345678901234567890',
    },
  ]);
  expect(stringifyExact(parseExact(text))).toBe(text);
});

test('any JSON value survives, with integers of any length', () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.bigInt().map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.constantFrom(null, true, '\\', '"', ':12345678901234567890', '{12345678901234567890'),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')),
    ),
  })).value;
  fc.assert(
    fc.property(value, (given) => {
      fc.pre(!stringifyExact(given).includes('\\u0000'));
      expect(stringifyExact(parseExact(stringifyExact(given)))).toBe(stringifyExact(given));
    }),
  );
});
