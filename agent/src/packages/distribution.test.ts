import { symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseOsRelease } from '../machine/os-release.ts';
import { TestHost } from '../testing/test-host.ts';
import { distributionOf, readDistribution } from './distribution.ts';

test.each([
  ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n', 'debian:12'],
  ["ID='ubuntu'\nVERSION_ID='22.04'", 'ubuntu:22.04'],
  ['ID="amzn"\nVERSION_ID="2023"\nID_LIKE="fedora"', 'amzn:2023'],
  ['ID=alpine\nVERSION_ID=3.20.1\n', 'alpine:3.20'],
  ['ID=arch\nBUILD_ID=rolling\n', 'arch'],
  ['ID=debian\nVERSION_ID="1 2"\n', 'debian'],
  ['#ID=debian\n', undefined],
  ['ID=$(id)\n', undefined],
  ['', undefined],
])('the distribution of %j', (file, distribution) => {
  expect(distributionOf(parseOsRelease(file))).toBe(distribution);
});

test('any string is parsed without an error', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (id, version) => {
      expect(distributionOf(parseOsRelease(`ID=${id}\nVERSION_ID=${version}`)) ?? 'x').toMatch(
        /^[\w.:~+-]+$/,
      );
    }),
  );
});

test('the file of the distribution is read if there is none of the host', async () => {
  const host = new TestHost();
  try {
    expect(await readDistribution(host.files)).toBeUndefined();
    host.write('usr/lib/os-release', 'ID=debian\nVERSION_ID="12"\n');
    expect(await readDistribution(host.files)).toBe('debian:12');
    symlinkSync('/usr/lib/os-release', host.place('etc/os-release'));
    expect(await readDistribution(host.files)).toBe('debian:12');
  } finally {
    host.remove();
  }
});
