import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from './ip-address.ts';

test.each([
  ['0100007F', '127.0.0.1'],
  ['00000000', '0.0.0.0'],
  ['0000000000000000FFFF00000100007F', '127.0.0.1'],
  ['00000000000000000000000001000000', '::1'],
  ['00000000000000000000000000000000', '::'],
  ['B80D0120000000000000000001000000', '2001:db8::1'],
])('%s is %s', (hex, address) => {
  expect(parseAddress(hex, 'LE')).toBe(address);
});

test('the byte order is that of the host', () => {
  expect(parseAddress('7F000001', 'BE')).toBe('127.0.0.1');
});

test('addresses of 16 bytes are written as URLs write them', () => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const bytes = Buffer.alloc(16);
      for (const [index, value] of groups.entries()) bytes.writeUInt16BE(value, index * 2);
      const address = parseAddress(bytes.toString('hex'), 'BE') ?? '';
      if (!address.includes('.'))
        expect(`[${address}]`).toBe(
          new URL(`http://[${groups.map((one) => one.toString(16)).join(':')}]`).host,
        );
    }),
  );
});

test('anything else is no address', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0Fg '), maxLength: 40 }), (text) => {
      if (!/^[0F]+$/.test(text) || ![8, 32].includes(text.length)) expect(parseAddress(text)).toBeUndefined();
    }),
  );
});
