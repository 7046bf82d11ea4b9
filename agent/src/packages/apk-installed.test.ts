import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseApkInstalled } from './apk-installed.ts';

const word = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);
const packages = fc.array(fc.record({ name: word, version: word, arch: word }), { maxLength: 8 });

test('packages are read as apk writes them', () => {
  fc.assert(
    fc.property(packages, (all) => {
      const stanzas = all.map(
        ({ name, version, arch }) =>
          `C:Q1abc=\nP:${name}\nV:${version}\nA:${arch}\nS:1\nT:A tool\np:cmd:x=1 so:y=2\nF:usr/bin\nR:x\na:0:0:755\nZ:Q1=\n\n`,
      );
      expect(parseApkInstalled(Buffer.from(stanzas.join('')))).toEqual({ packages: all, damaged: 0 });
    }),
  );
});

test('a virtual package may have no architecture', () => {
  expect(parseApkInstalled(Buffer.from('P:.build-deps\nV:20240101.000000\n')).packages).toEqual([
    { name: '.build-deps', version: '20240101.000000', arch: 'noarch' },
  ]);
});

test('an entry without a name or version is damaged', () => {
  expect(parseApkInstalled(Buffer.from('P:musl\nA:x86_64\n\nV:1\n\nP:a\nV:1\n'))).toEqual({
    packages: [{ name: 'a', version: '1', arch: 'noarch' }],
    damaged: 2,
  });
});

test('a truncated file never yields another version', () => {
  const file = Buffer.from('P:musl\nV:1.2.4-r2\nA:x86_64\n\n');
  for (let length = 0; length < file.length; length++)
    for (const one of parseApkInstalled(file.subarray(0, length)).packages)
      expect(one.version).toBe('1.2.4-r2');
});

test('any bytes are parsed without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void parseApkInstalled(Buffer.from(bytes))),
  );
});
