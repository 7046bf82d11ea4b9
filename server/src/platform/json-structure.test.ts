import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exceededLimit } from './json-structure.ts';

const plenty = 1_000_000;
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + 1 + valuesOf(one), 0)
    : 0;

describe('the structure of JSON text', () => {
  test('is measured as deep as it is, whatever its strings hold', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const depth = depthOf(JSON.parse(text));
        expect(exceededLimit(text, { depth, values: plenty })).toBeUndefined();
        if (depth > 0) expect(exceededLimit(text, { depth: depth - 1, values: plenty })).toBe('depth');
      }),
    );
  });

  test('never passes with more values than allowed', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const values = valuesOf(JSON.parse(text));
        if (values > 0) expect(exceededLimit(text, { depth: plenty, values: values - 1 })).toBe('values');
        // An empty array counts as one, though it holds nothing.
        expect(exceededLimit(text, { depth: plenty, values: 2 * values + 1 })).toBeUndefined();
      }),
    );
  });

  test('is found out of text that breaks off', () => {
    expect(exceededLimit('['.repeat(200), { depth: 100, values: plenty })).toBe('depth');
    expect(exceededLimit('{"a":"', { depth: 1, values: 1 })).toBeUndefined();
  });
});
