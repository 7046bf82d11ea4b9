import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { truncate } from './bounded-string.ts';

describe('a truncated string', () => {
  test.each([
    ['', 3, ''],
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['a😀b', 3, 'a…'],
    ['😀😀', 4, '😀😀'],
  ])('of %j with limit %i is %j', (text, maxLength, short) => {
    expect(truncate(text, maxLength)).toBe(short);
  });

  test('never exceeds its limit, and is a prefix of the input', () => {
    const encode = (character: string) => (character === '&' ? '&amp;' : character);
    const property = fc.property(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 1, max: 40 }),
      (text, maxLength) => {
        const [short, whole] = [truncate(text, maxLength, encode), [...text].map(encode).join('')];
        expect(short.length).toBeLessThanOrEqual(maxLength);
        if (short !== whole) expect(short.endsWith('…') && whole.startsWith(short.slice(0, -1))).toBe(true);
        expect(short === whole).toBe(whole.length <= maxLength);
      },
    );
    fc.assert(property);
  });
});
