import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utmpBytes } from './utmp.sample.ts';
import { layoutOf, parseUtmp } from './utmp.ts';

const text = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'abcXYZ019/-_.'), minLength: 1, maxLength });
const record = fc.record({
  type: fc.integer({ min: 0, max: 9 }),
  pid: fc.nat({ max: 4_194_304 }),
  line: text(32),
  user: text(32),
  host: text(256).filter((host) => !/^[0-9.]+$/.test(host)),
  at: fc.integer({ min: 1_000_000_000_000, max: 4_294_967_295_000 }),
  address: fc.ipV4().filter((address) => address !== '0.0.0.0'),
});
const size = fc.constantFrom(384, 400) as fc.Arbitrary<384 | 400>;

test('records are read in the layout that they were written in', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 40 }), size, (records, size) => {
      const bytes = Buffer.concat(records.map((one) => utmpBytes(one, size)));
      const layout = layoutOf(bytes);
      expect(layout?.size).toBe(size);
      expect(layout && parseUtmp(bytes, layout)).toEqual(records);
    }),
  );
});

test('truncated at any place, the whole records are read', () => {
  const one = { user: 'ann', line: 'pts/0', host: 'desk', at: 1_700_000_000_123, address: '192.0.2.7' };
  const bytes = Buffer.concat([1, 2, 3].map((pid) => utmpBytes({ ...one, pid })));
  const layout = layoutOf(bytes);
  for (let end = 0; end <= bytes.length; end++)
    expect(layout && parseUtmp(bytes.subarray(0, end), layout).length).toBe(Math.floor(end / 384));
});

test('any bytes are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), (bytes, isSparse) => {
      const buffer = Buffer.from(isSparse ? bytes.map((byte) => (byte < 230 ? 0 : byte)) : bytes);
      const layout = layoutOf(buffer);
      if (layout) parseUtmp(buffer, layout);
    }),
  );
});

test('a file of something else has no layout', () => {
  expect(
    layoutOf(Buffer.from('Nov 17 00:00:00 host sshd[1]: Accepted password\n'.repeat(20))),
  ).toBeUndefined();
  expect(layoutOf(Buffer.alloc(100))).toBeUndefined();
});

test('IPv6 addresses are read, and addresses that are only in the name of the host', () => {
  const at = 1_700_000_000_000;
  const long = utmpBytes({ user: 'ann', at });
  long.write('20010db8000000000000000000000001', 348, 'hex');
  const mapped = utmpBytes({ user: 'ann', at });
  mapped.write('00000000000000000000ffffc0000207', 348, 'hex');
  const bytes = Buffer.concat([
    ...[long, mapped, utmpBytes({ user: 'ann', at, host: 'fe80::1%eth0' }), utmpBytes({ user: 'ann', at })],
  ]);
  const layout = layoutOf(bytes);
  expect(layout && parseUtmp(bytes, layout).map(({ address }) => address)).toEqual([
    '2001:db8::1',
    '192.0.2.7',
    'fe80::1',
    undefined,
  ]);
});

test('utmpdump reads the same', () => {
  const one = { type: 7, pid: 42, user: 'ann', line: 'pts/0', host: 'desk', at: 1_700_000_000_123 };
  const bytes = utmpBytes({ ...one, address: '192.0.2.7' });
  let dumped: string;
  try {
    dumped = execFileSync('utmpdump', { input: bytes, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
  } catch {
    return;
  }
  const fields = [...dumped.matchAll(/\[([^\]]*)\]/g)].map(([, field]) => field?.trim());
  expect(fields.slice(0, 7)).toEqual(['7', '00042', '', 'ann', 'pts/0', 'desk', '192.0.2.7']);
  expect(fields[7]).toContain('2023-11-14T22:13:20,123');
});
