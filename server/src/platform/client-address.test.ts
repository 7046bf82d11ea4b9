import { describe, expect, test } from 'vitest';
import { addressMatcher, clientNetwork } from './client-address.ts';

describe('addressMatcher', () => {
  test('matches addresses, ranges and named ranges of both families', () => {
    const matches = addressMatcher(['192.0.2.1', '10.0.0.0/8', '2001:db8::/32', 'loopback']);
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '10.9.8.7', '2001:db8:1::1', '127.0.0.1', '::1'])
      expect(matches(address), address).toBe(true);
    for (const address of ['192.0.2.2', '11.0.0.1', '2001:db9::1', '', 'unknown', '::2'])
      expect(matches(address), address).toBe(false);
  });

  test.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/', '::/129', ''])(
    'rejects %j and names the accepted formats',
    (entry) => {
      expect(() => addressMatcher([entry])).toThrow('is not an address or a CIDR range');
    },
  );
});

test('clientNetwork maps IPv4 addresses to themselves and IPv6 addresses to their /64 network', () => {
  expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1');
  expect(clientNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(clientNetwork('unknown')).toBe('unknown');
  expect(clientNetwork('2001:db8:0:7:1:2:3:4')).toBe('2001:db8:0:7::/64');
  expect(clientNetwork('2001:db8:0:7::9')).toBe('2001:db8:0:7::/64');
  expect(clientNetwork('2001:0db8::')).toBe('2001:db8:0:0::/64');
  expect(clientNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  expect(clientNetwork('::1')).toBe('0:0:0:0::/64');
});
