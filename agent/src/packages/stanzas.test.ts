import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stanzasOf } from './stanzas.ts';

const fields = new Set(['Package', 'Version']);
const parsed = (file: string, form = {}) =>
  [...stanzasOf(Buffer.from(file), { fields, ...form })].map((stanza) => Object.fromEntries(stanza));

test('stanzas are divided by empty lines, and continued lines are not fields', () => {
  const file = 'Package: a\nDescription: b\n Package: c\n\tVersion: 2\nVersion:1:1-1 \n\n\nPackage: d\n';
  expect(parsed(file)).toEqual([{ Package: 'a', Version: '1:1-1' }, { Package: 'd' }]);
});

test('an incomplete last line is left out, unless the file may end with it', () => {
  expect(parsed('Package: a\nVersion: 1.2')).toEqual([{ Package: 'a' }]);
  expect(parsed('Package: a\nVersion: 1.2', { isOpenEnded: true })).toEqual([
    { Package: 'a', Version: '1.2' },
  ]);
});

test('case is ignored on request', () => {
  expect(parsed('PACKAGE: a\n')).toEqual([{}]);
  expect(parsed('PACKAGE: a\n', { fields: new Set(['package']), ignoresCase: true })).toEqual([
    { package: 'a' },
  ]);
});

test('a value above the limit is left out', () => {
  expect(parsed(`Package: ${'a'.repeat(2_000)}\nVersion: 1\n`)).toEqual([{ Version: '1' }]);
});

test('the first of repeated fields counts', () => {
  expect(parsed('Package: a\nPackage: b\n')).toEqual([{ Package: 'a' }]);
});

test('any bytes are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, isOpenEnded) => {
      for (const stanza of stanzasOf(Buffer.from(bytes), { fields, isOpenEnded }))
        for (const name of stanza.keys()) expect(fields).toContain(name);
    }),
  );
});
