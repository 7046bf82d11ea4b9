import { endianness } from 'node:os';

/** An address of `/proc/net`: words of 4 bytes in the byte order of the host, in hexadecimal. */
export function parseAddress(hex: string, order: 'LE' | 'BE' = endianness()): string | undefined {
  if (!/^(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{32})$/.test(hex)) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  if (order === 'LE') bytes.swap32();
  if (bytes.length === 4) return bytes.join('.');
  return isMapped(bytes) ? bytes.subarray(12).join('.') : ipv6Of(bytes);
}

/** An IPv4 address on a socket that accepts both. */
function isMapped(bytes: Buffer): boolean {
  return bytes.subarray(0, 10).every((byte) => byte === 0) && bytes.readUInt16BE(10) === 0xffff;
}

/** In the form of RFC 5952: the longest run of two or more zeros, the first of equal ones, is left out. */
function ipv6Of(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  let [start, length] = [0, 0];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (groups[to] === '0') to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  if (length < 2) return groups.join(':');
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`;
}

export function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}
