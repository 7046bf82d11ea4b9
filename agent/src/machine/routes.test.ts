import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ipv6Of, ipv6OfHex, isInternal } from './address.ts';
import { defaultRoute, parseIpv4Routes, parseIpv6Routes } from './routes.ts';

const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';

test('routes have a network, an interface and a gateway where there is one', () => {
  const text = `${head}eth0\t00000000\t010200C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
eth1\t0000000A\t00000000\t0000\t0\t0\t0\t000000FF\t0\t0\t0
eth1\t0000000B\t00000000\t0201\t0\t0\t0\t000000FF\t0\t0\t0\n`;
  expect(parseIpv4Routes(text)).toEqual([
    { destination: 'default', gateway: '192.0.2.1', interface: 'eth0', metric: 100 },
    { destination: '192.0.2.0/24', interface: 'eth0', metric: 0 },
  ]);
});

test('IPv6 routes to the host itself are left out', () => {
  const zero = '0'.repeat(32);
  const text = `${zero} 00 ${zero} 00 fe800000000000000000000000000001 00000400 00000003 00000000 00000003     eth0
${'0'.repeat(31)}1 80 ${zero} 00 ${zero} 00000000 00000004 00000000 80200001       lo
fd000000000000000000000000000002 80 ${zero} 00 ${zero} 00000000 00000004 00000000 80200001     eth0
fd000000000000000000000000000000 40 ${zero} 00 ${zero} 00000100 00000001 00000000 00000001     eth0
ff000000000000000000000000000000 08 ${zero} 00 ${zero} 00000100 00000001 00000000 00000001     eth0\n`;
  expect(parseIpv6Routes(text)).toEqual([
    { destination: 'default', gateway: 'fe80::1', interface: 'eth0', metric: 1024 },
    { destination: 'fd00::/64', interface: 'eth0', metric: 256 },
  ]);
});

test('of several default routes, the one with the lowest metric is taken', () => {
  const route = (name: string, metric: number) => ({ destination: 'default', interface: name, metric });
  expect(defaultRoute([route('a', 200), route('b', 100), route('c', 100)])?.interface).toBe('b');
  expect(defaultRoute([])).toBeUndefined();
});

test('the default route of this host is that of ip route', () => {
  let listed: readonly { readonly gateway?: string; readonly dev: string }[];
  try {
    listed = JSON.parse(execFileSync('ip', ['-j', 'route', 'show', 'default'], { encoding: 'utf8' }));
  } catch {
    return;
  }
  const route = defaultRoute(parseIpv4Routes(readFileSync('/proc/net/route', 'utf8')));
  expect({ gateway: route?.gateway, dev: route?.interface }).toEqual({
    gateway: listed[0]?.gateway,
    dev: listed[0]?.dev,
  });
});

test('IPv6 addresses have their canonical text', () => {
  expect(ipv6OfHex('20010db8000000000001000000000001')).toBe('2001:db8::1:0:0:1');
  expect(ipv6OfHex('0'.repeat(32))).toBe('::');
  expect(ipv6OfHex('20010db8000100010001000000010001')).toBe('2001:db8:1:1:1:0:1:1');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 0, 1, 0x80, 0xff), { minLength: 16, maxLength: 16 }), (bytes) => {
      const text = ipv6Of(Buffer.from(bytes));
      expect(isIPv6(text)).toBe(true);
      // A URL has its own canonical text of an address.
      expect(new URL(`http://[${text}]`).hostname).toBe(`[${text}]`);
    }),
  );
});

test.each([
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['100.64.0.1', true],
  ['8.8.8.8', false],
  ['fe80::1', true],
  ['fd00::2', true],
  ['2001:db8::1', false],
  ['::1', false],
  ['no address', false],
])('%s is internal: %s', (address, expected) => {
  expect(isInternal(address)).toBe(expected);
});

test('any text is read without an error, and truncated tables too', () => {
  const unit = fc.constantFrom(...'0123456789ABCDEFeth \t\n');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 400 }), (text) => {
      for (const { metric } of [...parseIpv4Routes(text), ...parseIpv6Routes(text)])
        expect(Number.isInteger(metric)).toBe(true);
    }),
  );
  const whole = readFileSync('/proc/net/route', 'utf8') + readFileSync('/proc/net/ipv6_route', 'utf8');
  for (let end = 0; end < whole.length; end += 7) {
    parseIpv4Routes(whole.slice(0, end));
    parseIpv6Routes(whole.slice(0, end));
  }
});
