import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { endianness } from 'node:os';

/** An IPv4 address of the kernel's tables: eight hexadecimal digits in the byte order of the host. */
export function ipv4OfHex(hex: string): string | undefined {
  if (!/^[0-9a-f]{8}$/i.test(hex)) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  if (endianness() === 'LE') bytes.reverse();
  return bytes.join('.');
}

/** An IPv6 address of the kernel's tables: 32 hexadecimal digits in network order. */
export function ipv6OfHex(hex: string): string | undefined {
  return /^[0-9a-f]{32}$/i.test(hex) ? ipv6Of(Buffer.from(hex, 'hex')) : undefined;
}

/** In the form of RFC 5952: the longest run of two or more zeros, the first of equal ones, is left out. */
export function ipv6Of(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  const runs = groups.map((_, from) => {
    const end = groups.findIndex((group, index) => index >= from && group !== '0');
    return (end === -1 ? groups.length : end) - from;
  });
  const longest = Math.max(...runs);
  if (longest < 2) return groups.join(':');
  const from = runs.indexOf(longest);
  return `${groups.slice(0, from).join(':')}::${groups.slice(from + longest).join(':')}`;
}

const internal = new BlockList();
for (const [network, length] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  internal.addSubnet(network, length, 'ipv4');
internal.addSubnet('fc00::', 7, 'ipv6');
internal.addSubnet('fe80::', 10, 'ipv6');

/** Whether an address belongs to a private or link range. */
export function isInternal(address: string): boolean {
  if (isIPv4(address)) return internal.check(address, 'ipv4');
  return isIPv6(address) && internal.check(address, 'ipv6');
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

export function isLinkLocal(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/i.test(address) || address.startsWith('169.254.');
}
