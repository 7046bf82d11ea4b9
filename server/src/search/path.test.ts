import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Path, parsePath, reach } from './path.ts';

describe('parsePath', () => {
  test.each([
    ['a', 'a', []],
    ['a.b.c', 'a', ['b', 'c']],
    ['tags."aws:x:y"', 'tags', ['aws:x:y']],
    ['tags."io.kubernetes.pod/name".x', 'tags', ['io.kubernetes.pod/name', 'x']],
    ['tags."a\\"b\\\\c\\/d"', 'tags', ['a"b\\c/d']],
    ['tags.""', 'tags', ['']],
    ['tags.aws:x/y z', 'tags', ['aws:x/y z']],
    ['list[0]', 'list', [0]],
    ['list[12][0].a', 'list', [12, 0, 'a']],
    ['a."b"[1]."c.d"', 'a', ['b', 1, 'c.d']],
    ['"a.b".c', 'a.b', ['c']],
    ['a.0', 'a', ['0']],
    ['a.__proto__', 'a', ['__proto__']],
  ])('%s is a path', (string, field, steps) => {
    expect(parsePath(string)).toEqual({ field, steps });
  });

  test.each([
    '',
    '.',
    '.a',
    'a.',
    'a..b',
    '[0]',
    'a[',
    'a[]',
    'a[-1]',
    'a[1.5]',
    'a[x]',
    'a[0]b',
    'a.[0]',
    'a]',
    'a"b"',
    'a."b',
    'a."b"c',
    'a."b\\"',
    'a\\b',
  ])('%j is not a path', (string) => {
    expect(parsePath(string)).toBeUndefined();
  });

  test('parses every formatted path', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...'a."\\[]:/\n') }),
    );
    const paths = fc.record({ field: name, steps: fc.array(fc.oneof(name, fc.nat(999_999_999))) });
    fc.assert(
      fc.property(paths, (path) => {
        expect(parsePath(write(path))).toEqual(path);
      }),
    );
  });
});

describe('reach', () => {
  const value = JSON.parse('{"a":{"b":[{"c":1},[2]],"d":"text","e":null},"x.y":3,"__proto__":{"own":4}}');

  test.each([
    [[], value],
    [['a', 'b', 0, 'c'], 1],
    [['a', 'b', 1, 0], 2],
    [['x.y'], 3],
    [['a', 'e'], null],
    [['__proto__', 'own'], 4],
    [['x', 'y'], undefined],
    [['a', 'missing', 'deeper'], undefined],
    [['a', 'e', 'deeper'], undefined],
    [['a', 'b', 2], undefined],
    [['a', 'b', '0'], undefined],
    [['a', 0], undefined],
    [['a', 'b', 'length'], undefined],
    [['a', 'd', 'length'], undefined],
    [['a', 'd', 0], undefined],
    [['a', '__proto__'], undefined],
    [['a', 'constructor'], undefined],
    [['a', 'b', 'map'], undefined],
    [['toString'], undefined],
  ])('%j', (steps, expected) => {
    expect(reach(value, steps)).toEqual(expected);
  });
});

function write({ field, steps }: Path): string {
  const quote = (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`;
  return (
    quote(field) + steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${quote(step)}`)).join('')
  );
}
