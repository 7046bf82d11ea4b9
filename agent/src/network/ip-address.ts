import { endianness } from 'node:os';
import { ipv6Of } from '../machine/address.ts';

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

export function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}
