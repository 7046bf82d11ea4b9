import { expect, test } from 'vitest';
import { withLargeIntegersAsStrings } from './large-integers.ts';

test.each([
  [
    '{"a":9223372036854775807,"b":-9223372036854775808}',
    '{"a":"9223372036854775807","b":"-9223372036854775808"}',
  ],
  [
    '[9007199254740991,9007199254740993,1.5e300,12345678901234567890.5]',
    '[9007199254740991,"9007199254740993",1.5e300,12345678901234567890.5]',
  ],
  ['{"9223372036854775807":"\\"9223372036854775807"}', '{"9223372036854775807":"\\"9223372036854775807"}'],
  ['{"a":1}', '{"a":1}'],
])('integers that JavaScript would round become strings: %s', (json, expected) => {
  expect(withLargeIntegersAsStrings(json)).toBe(expected);
});

test('strings of any length are skipped', () => {
  const long = JSON.stringify('\\"x'.repeat(10_000_000));
  expect(
    withLargeIntegersAsStrings(`[${long},9223372036854775807]`) === `[${long},"9223372036854775807"]`,
  ).toBe(true);
});
