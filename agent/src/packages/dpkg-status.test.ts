import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDpkgControl, parseDpkgStatus } from './dpkg-status.ts';

const word = fc.stringMatching(/^[a-z0-9][a-z0-9.+:~-]{0,20}$/);
const packages = fc.array(fc.record({ name: word, version: word, arch: word }), { maxLength: 8 });
const stanza = (one: { name: string; version: string; arch: string }, status = 'install ok installed') =>
  `Package: ${one.name}\nStatus: ${status}\nMaintainer: A\nArchitecture: ${one.arch}\nVersion: ${one.version}\nDescription: x\n Package: y\n .\n`;
const curl = { name: 'curl', version: '1:7.88.1-10', arch: 'amd64' };

test('packages are read as dpkg writes them', () => {
  fc.assert(
    fc.property(packages, (all) => {
      const file = Buffer.from(all.map((one) => `${stanza(one)}\n`).join(''));
      expect(parseDpkgStatus(file)).toEqual({ packages: all, damaged: 0 });
    }),
  );
});

test.each([
  'hold ok installed',
  'install ok triggers-pending',
  'install ok unpacked',
  'deinstall reinstreq installed',
])('a package with the status %s is on the disk', (status) => {
  expect(parseDpkgStatus(Buffer.from(stanza(curl, status)))).toEqual({ packages: [curl], damaged: 0 });
});

test.each(['deinstall ok config-files', 'purge ok not-installed', 'install ok half-installed'])(
  'a package with the status %s is not installed',
  (status) => {
    expect(parseDpkgStatus(Buffer.from(stanza(curl, status)))).toEqual({ packages: [], damaged: 0 });
  },
);

test('an entry that is not understood is damaged', () => {
  const other = { ...curl, name: 'wget' };
  for (const broken of [
    stanza(curl, 'install ok somehow'),
    stanza(curl).replace(/^Status.*\n/m, ''),
    stanza(curl).replace(/^Version.*\n/m, ''),
    stanza({ ...curl, name: 'a b' }),
    stanza({ ...curl, version: '1\x1b[2J' }),
    stanza({ ...curl, name: 'cu\u202erl' }),
  ])
    expect(parseDpkgStatus(Buffer.from(`${broken}\n${stanza(other)}`))).toEqual({
      packages: [other],
      damaged: 1,
    });
});

test('a truncated file never yields another version', () => {
  const file = Buffer.from(stanza(curl));
  for (let length = 0; length < file.length; length++) {
    const { packages: found, damaged } = parseDpkgStatus(file.subarray(0, length));
    if (found.length > 0) expect(found).toEqual([curl]);
    else expect(damaged).toBe(file.subarray(0, length).includes(10) ? 1 : 0);
  }
});

test('files of status.d have no status, and need no line end', () => {
  const control = 'Package: base-files\nVersion: 12.4\nArchitecture: amd64';
  expect(parseDpkgControl(Buffer.from(control)).packages).toEqual([
    { name: 'base-files', version: '12.4', arch: 'amd64' },
  ]);
  expect(parseDpkgStatus(Buffer.from(`${control}\n`))).toEqual({ packages: [], damaged: 1 });
});

test('the number of packages is bounded, and the rest is noticed', () => {
  const file = Buffer.from(
    Array.from({ length: 20_010 }, (_, at) => `${stanza({ ...curl, name: `p${at}` })}\n`).join(''),
  );
  const { packages: found, damaged } = parseDpkgStatus(file);
  expect([found.length, damaged]).toEqual([20_000, 1]);
});

test('any bytes are parsed without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      parseDpkgStatus(Buffer.from(bytes));
      parseDpkgControl(Buffer.from(bytes));
    }),
  );
});
