import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNpmManifest } from './npm-manifest.ts';
import { parsePythonMetadata } from './python-metadata.ts';

const word = fc.stringMatching(/^[A-Za-z0-9@][A-Za-z0-9._/+-]{0,20}$/);

test('a package.json is read', () => {
  fc.assert(
    fc.property(word, word, (name, version) => {
      const manifest = JSON.stringify({ type: 'module', version, name, dependencies: { name: 'x' } });
      expect(parseNpmManifest(Buffer.from(manifest))).toEqual({ is: 'package', package: { name, version } });
      expect(parseNpmManifest(Buffer.from(`\uFEFF${manifest}`)).is).toBe('package');
      for (let length = 0; length < manifest.length; length++)
        expect(parseNpmManifest(Buffer.from(manifest.slice(0, length))).is).toBe('invalid');
    }),
    { numRuns: 20 },
  );
});

test.each([
  ['{"type":"commonjs"}', 'unnamed'],
  ['{"name":"a"}', 'unnamed'],
  ['{"name":"a","version":1}', 'invalid'],
  ['{"name":"a b","version":"1"}', 'invalid'],
  ['null', 'invalid'],
  ['"a"', 'invalid'],
])('the package.json %s is %s', (file, is) => {
  expect(parseNpmManifest(Buffer.from(file))).toEqual({ is });
});

test('a METADATA file is read to the end of its headers', () => {
  fc.assert(
    fc.property(word, word, (name, version) => {
      const headers = `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\nSummary: x\n`;
      const expected = { is: 'package', package: { name, version } };
      expect(parsePythonMetadata(Buffer.from(`${headers}\nName: other\n`))).toEqual(expected);
      expect(parsePythonMetadata(Buffer.from(headers))).toEqual(expected);
    }),
  );
  expect(parsePythonMetadata(Buffer.from('Name: a\n\nVersion: 1\n'))).toEqual({ is: 'invalid' });
});

test('any bytes are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      parseNpmManifest(Buffer.from(bytes));
      parsePythonMetadata(Buffer.from(bytes));
    }),
  );
});
