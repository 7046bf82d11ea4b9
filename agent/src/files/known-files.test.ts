import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeCursor, parseCursor } from './known-files.ts';

test('a cursor is read as it was stored', () => {
  const file = fc.record({ key: fc.string(), rights: fc.string(), hash: fc.string() });
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.string()), fc.dictionary(fc.string(), file), (at, watched, files) => {
      const cursor = { at, watched: new Set(watched), files: new Map(Object.entries(files)) };
      expect(parseCursor(JSON.parse(JSON.stringify(encodeCursor(cursor))))).toEqual(cursor);
    }),
  );
});

test('a damaged cursor is none', () => {
  const whole = { at: 1, watched: ['/etc'], files: [['/etc/passwd', 'k', 'r', 'h']] };
  expect(parseCursor(whole)).toBeDefined();
  for (const damage of [
    { at: '1' },
    { watched: [1] },
    { files: {} },
    { files: [['/etc/passwd']] },
    { files: [1] },
  ])
    expect(parseCursor({ ...whole, ...damage })).toBeUndefined();
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(parseCursor(value)).toBeUndefined();
    }),
  );
});
