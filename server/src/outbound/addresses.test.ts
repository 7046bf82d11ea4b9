import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './addresses.ts';
import { routeTo } from './route.ts';

const runs = { numRuns: Number(process.env.VEDETTE_FUZZ ?? 300) };

const octets = (fixed: readonly number[]) =>
  fc.tuple(...[0, 1, 2, 3].map((at) => (at < fixed.length ? fc.constant(fixed[at] as number) : octet)));
const octet = fc.integer({ min: 0, max: 255 });

/** Addresses of the operator's own hosts, networks and clouds. */
const privateAddresses = fc.oneof(
  ...[[10], [127], [0], [169, 254], [192, 168], [100, 100], [172, 20], [198, 18], [224], [255]].map(octets),
  fc.constant([169, 254, 169, 254]),
  fc.constant([100, 100, 100, 200]),
  fc.constant([168, 63, 129, 16]),
);
const publicAddresses = fc.constantFrom(
  [8, 8, 8, 8],
  [93, 184, 215, 14],
  [1, 1, 1, 1],
  [172, 15, 1, 1],
  [172, 32, 0, 1],
  [100, 128, 0, 1],
);

type Octets = readonly number[];
const numberOf = (octets: Octets) => octets.reduce((sum, octet) => sum * 256 + octet, 0);
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
const groups = (octets: Octets) => [0, 2].map((at) => hex(numberOf(octets.slice(at, at + 2)), 1)).join(':');

/** Alternative spellings of an address, as attackers use them. */
const spellings: readonly ((octets: Octets) => string)[] = [
  (octets) => octets.join('.'),
  (octets) => `${octets.join('.')}.`,
  (octets) => String(numberOf(octets)),
  (octets) => `0x${hex(numberOf(octets), 8)}`,
  (octets) => `0${numberOf(octets).toString(8)}`,
  (octets) => octets.map((part) => `0${part.toString(8)}`).join('.'),
  (octets) => octets.map((part) => `0x${hex(part, 2)}`).join('.'),
  ([first, ...rest]) => `${first}.${numberOf(rest)}`,
  ([first, second, ...rest]) => `0x${hex(first as number, 1)}.${second}.${numberOf(rest)}`,
  (octets) => encodeURIComponent(octets.join('.')).replaceAll('1', '%31'),
  (octets) => octets.join('。'),
  (octets) => octets.join('.').replaceAll('1', '１'),
  (octets) => `[::ffff:${octets.join('.')}]`,
  (octets) => `[0:0:0:0:0:FFFF:${groups(octets)}]`,
  (octets) => `[64:ff9b::${groups(octets)}]`,
];
const spelling = fc.constantFrom(...spellings);

const neverResolve = async (host: string): Promise<string[]> => {
  throw new Error(`${host} was looked up`);
};
const hostOf = (address: string) => new URL(`http://${address}/`).hostname;
const reach = (address: string) => routeTo(hostOf(address), { allowsPrivate: false, resolve: neverResolve });

describe('an address', () => {
  test('of the operator’s network is refused in every spelling', async () => {
    const property = fc.asyncProperty(privateAddresses, spelling, async (octets, spell) => {
      await expect(reach(spell(octets))).rejects.toMatchObject({ isFinal: true });
    });
    await fc.assert(property, runs);
  });

  test('of the public internet is allowed in every spelling', async () => {
    const property = fc.asyncProperty(publicAddresses, spelling, async (octets, spell) => {
      const [address] = await reach(spell(octets));
      expect(hostOf(address?.includes(':') ? `[${address}]` : String(address))).toBe(hostOf(spell(octets)));
    });
    await fc.assert(property, runs);
  });

  test.each([
    ...[
      '::',
      '::1',
      '::127.0.0.1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
    ],
    ...['2001:db8::1', '2002:7f00:1::', '2001::1', '64:ff9b:1::1', '100::1', '3fff::1', '5f00::1', '4000::1'],
    ...['localhost', '', '127.1', '1.2.3.4.5'],
  ])('such as %j is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['2606:4700::1111', '2a00:1450:4001::1', '64:ff9b::8.8.8.8'])(
    'such as %s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test('among several must be public like the others, and is not disclosed', async () => {
    const resolve = async () => ['8.8.8.8', '10.0.0.1'];
    await expect(routeTo('two.example.com', { allowsPrivate: false, resolve })).rejects.toThrow(
      /^two\.example\.com has no public address: [^0-9]*$/,
    );
    expect(await routeTo('two.example.com', { allowsPrivate: true, resolve })).toEqual([
      '8.8.8.8',
      '10.0.0.1',
    ]);
  });
});
