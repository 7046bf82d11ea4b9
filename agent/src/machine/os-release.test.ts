import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distributionOf, parseOsRelease } from './os-release.ts';

test('values are bare, or quoted as in a shell', () => {
  const text = `# comment\nNAME="Amazon Linux"\nVERSION_ID='2023'\nID=amzn\nNOTE="a \\"b\\" \\$c"\nbroken\n=x\n`;
  expect([...parseOsRelease(text)]).toEqual([
    ['NAME', 'Amazon Linux'],
    ['VERSION_ID', '2023'],
    ['ID', 'amzn'],
    ['NOTE', 'a "b" $c'],
  ]);
});

test('a distribution has a name and a version', () => {
  const debian = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\n';
  expect(distributionOf(parseOsRelease(debian))).toEqual({
    os: 'Debian GNU/Linux',
    osVersion: '12',
    osDesc: 'Debian GNU/Linux 12 (bookworm)',
  });
  expect(distributionOf(parseOsRelease('NAME="Arch Linux"\nBUILD_ID=rolling\n'))).toEqual({
    os: 'Arch Linux',
    osVersion: 'rolling',
  });
  expect(distributionOf(parseOsRelease(''))).toEqual({ os: 'Linux', osVersion: '' });
});

const value = fc.string({ unit: fc.constantFrom(...`ab 1"'$\`\\=#é`) });

test('what was quoted is read again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/), value), (variables) => {
      const lines = Object.entries(variables).map(
        ([name, one]) => `${name}="${one.replace(/["$`\\]/g, '\\$&')}"`,
      );
      expect(Object.fromEntries(parseOsRelease(lines.join('\n')))).toEqual({ ...variables });
    }),
  );
});

test('any bytes are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      distributionOf(parseOsRelease(Buffer.from(bytes).toString('utf8')));
    }),
  );
});
