import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRpmHeader } from './rpm-header.ts';
import { type RpmFixture, rpmHeaderOf } from './testing/rpm-header-fixture.ts';

const word = fc
  .stringMatching(/^[A-Za-z0-9][A-Za-z0-9._+~^-]{0,20}$/)
  .filter((name) => name !== 'gpg-pubkey');
const fixtures = fc.record(
  {
    ...{ name: word, version: word, release: word, arch: word },
    ...{ epoch: fc.nat(2 ** 32 - 1), description: fc.nat(300), fileNames: fc.nat(300) },
  },
  { requiredKeys: ['name', 'version', 'release', 'arch'] },
);
const parse = (header: Buffer) => parseRpmHeader(header, header.length);
const bash = { name: 'bash', version: '5.1.8', release: '9.el9', arch: 'x86_64' };

function expected({ name, version, release, epoch, arch }: RpmFixture) {
  const written = `${epoch === undefined ? '' : `${epoch}:`}${version}-${release}`;
  return { is: 'package', package: { name, version: written, arch: arch ?? 'noarch' } };
}

test('packages are read as rpm stores them', () => {
  fc.assert(
    fc.property(fixtures, (fixture) => {
      expect(parse(rpmHeaderOf(fixture as RpmFixture))).toEqual(expected(fixture as RpmFixture));
    }),
  );
});

test('an epoch is part of the version, zero too', () => {
  expect(parse(rpmHeaderOf({ ...bash, epoch: 0 }))).toEqual(expected({ ...bash, epoch: 0 }));
  expect(parse(rpmHeaderOf(bash))).toMatchObject({ package: { version: '5.1.8-9.el9' } });
});

test('keys are not packages', () => {
  expect(parse(rpmHeaderOf({ name: 'gpg-pubkey', version: 'fd431d51', release: '4ae0493b' }))).toEqual({
    is: 'key',
  });
});

test('each start of a header is incomplete, or enough; as a whole it is damaged', () => {
  const whole = rpmHeaderOf({ ...bash, epoch: 1, description: 50, fileNames: 50 });
  const results = new Set<string>();
  for (let length = 0; length < whole.length; length++) {
    const start = whole.subarray(0, length);
    const result = parseRpmHeader(start, whole.length);
    results.add(result.is);
    if (result.is !== 'incomplete') expect(result).toEqual(expected({ ...bash, epoch: 1 }));
    expect(parse(start)).toEqual({ is: 'damaged' });
  }
  expect([...results]).toEqual(['incomplete', 'package']);
});

test.each([
  ['number of entries', 0, 0x10000],
  ['size of the data store', 4, 0x10000000],
  ['offset of the name', 8 + 16 + 8, 0xffffffff],
  ['count of the name', 8 + 16 + 12, 2],
  ['type of the name', 8 + 16 + 4, 8],
  ['tag of the name', 8 + 16, 999],
])('a wrong %s is damage', (_, at, value) => {
  const header = rpmHeaderOf(bash);
  header.writeUInt32BE(value, at);
  expect(parse(header)).toEqual({ is: 'damaged' });
});

test('any bytes, and any changed byte, are parsed without an error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void parse(Buffer.from(bytes))));
  fc.assert(
    fc.property(fixtures, fc.nat(), fc.integer({ min: 1, max: 255 }), (fixture, place, change) => {
      const header = rpmHeaderOf(fixture as RpmFixture);
      const at = place % header.length;
      header[at] = (header[at] as number) ^ change;
      expect(parse(header).is).not.toBe('incomplete');
    }),
  );
});
