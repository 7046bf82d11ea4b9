import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exceededLimit } from './json-structure.ts';

const unlimited = 1_000_000;
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + 1 + valuesOf(inner), 0)
    : 0;

describe('exceededLimit', () => {
  test('measures the exact depth, for any string content', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        const depth = depthOf(JSON.parse(json));
        expect(exceededLimit(json, { depth, values: unlimited })).toBeUndefined();
        if (depth > 0) expect(exceededLimit(json, { depth: depth - 1, values: unlimited })).toBe('depth');
      }),
    );
  });

  test('never accepts more values than the limit', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        const values = valuesOf(JSON.parse(json));
        if (values > 0) expect(exceededLimit(json, { depth: unlimited, values: values - 1 })).toBe('values');
        // An empty array counts as one value.
        expect(exceededLimit(json, { depth: unlimited, values: 2 * values + 1 })).toBeUndefined();
      }),
    );
  });

  test('handles truncated JSON', () => {
    expect(exceededLimit('['.repeat(200), { depth: 100, values: unlimited })).toBe('depth');
    expect(exceededLimit('{"a":"', { depth: 1, values: 1 })).toBeUndefined();
  });
});
