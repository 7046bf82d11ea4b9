import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRepeatedMember, refuseRepeatedMember } from './repeated-member.ts';

function refusal(json: string): string | undefined {
  try {
    refuseRepeatedMember(json, JSON.parse(json), 3);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_INPUT' });
    return (error as Error).message;
  }
}

/** An object that may have duplicate members, or a value without members. */
type Tree =
  | { readonly members: readonly (readonly [string, Tree])[] }
  | { readonly list: readonly Tree[] }
  | string;

const name = fc.oneof(fc.constantFrom('a', 'b', ':', '"', '"":', '\\', '__proto__', ''), fc.string());
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'tree' },
    fc.oneof(
      fc.constantFrom('1', '-1.5e3', 'true', 'null', '":a"', '"a\\":"', '"b : c"'),
      fc.string().map(quoted),
    ),
    fc.record({ list: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ members: fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }) }),
  ),
}));

function quoted(string: string): string {
  return JSON.stringify(string);
}

function write(value: Tree, gap: string): string {
  if (typeof value === 'string') return value;
  if ('list' in value) return `[${value.list.map((item) => write(item, gap)).join(`${gap},`)}]`;
  const members = value.members.map(
    ([name, inner]) => `${gap}${quoted(name)}${gap}:${gap}${write(inner, gap)}`,
  );
  return `{${members.join(',')}${gap}}`;
}

function hasRepeat(value: Tree): boolean {
  if (typeof value === 'string') return false;
  if ('list' in value) return value.list.some(hasRepeat);
  const names = value.members.map(([name]) => name);
  return new Set(names).size < names.length || value.members.some(([, inner]) => hasRepeat(inner));
}

describe('a duplicate member', () => {
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":1,"c":{},"b":2}}', 'a.b'],
    ['{"l":[1,{"x":[]},{"x":"]","y":{"z":0,"z":0}}]}', 'l[2].y.z'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{ "a" : 1,\n "a"\t: 2 }', 'a'],
    ['{"a":":","b":1,"b":"\\":"}', 'b'],
    ['{"a":{"a":1},"__proto__":1,"__proto__":2}', '__proto__'],
  ])('is refused with its path: %s', (json, path) => {
    expect(refusal(json)).toBe(`records[3].${path} is given twice: give each member of an object once.`);
  });

  test.each([
    '{"a":{"a":{"a":1}},"b":["a","a",{"a":1},{"a":1}]}',
    '{"a":":a","b":"\\":","c" : "a\\\\","d":"x : y"}',
    '{"t":"2026-01-01T00:00:00Z","arn":"arn:aws:iam::1:role/x","ip":"::1"}',
    '[]',
    '7',
  ])('is not reported if there is none: %s', (json) => {
    expect(refusal(json)).toBeUndefined();
  });

  test('is found in arbitrary JSON, without false positives', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom('', ' ', '\n\t'), (value, gap) => {
        const json = write(value, gap);
        expect(refusal(json) !== undefined).toBe(hasRepeat(value));
        expect(findRepeatedMember(json) !== undefined).toBe(hasRepeat(value));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is found at the maximum depth, and shortened in the message', () => {
    const nested = (levels: number) => `${'['.repeat(levels - 1)}{"b":1,"b":2}${']'.repeat(levels - 1)}`;
    expect(refusal(nested(100))).toMatch(/ is given twice/);
    expect(refusal(nested(101))).toBe('records[3] is nested more than 100 levels deep: flatten it.');
    const long = `"${'x'.repeat(1_000_000)}":1`;
    expect(refusal(`{${long},${long}}`)?.length).toBeLessThan(300);
  });
});
