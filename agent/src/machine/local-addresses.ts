import { isIPv4 } from 'node:net';
import { ipv6OfHex } from './address.ts';

/** An address and its interface. */
export interface InterfaceAddress {
  readonly name: string;
  readonly address: string;
}

/** The addresses of `/proc/net/if_inet6`. */
export function parseIfInet6(text: string): InterfaceAddress[] {
  return text.split('\n').flatMap((line) => {
    const [hex = '', , , , , name] = line.trim().split(/\s+/);
    const address = ipv6OfHex(hex);
    return name && address ? [{ name, address }] : [];
  });
}

/** The IPv4 addresses of the host itself in `/proc/net/fib_trie`, which does not name interfaces. */
export function parseFibTrie(text: string): string[] {
  const addresses = new Set<string>();
  let leaf: string | undefined;
  for (const line of text.split('\n')) {
    const [, address] = /^\s*\|-- ([0-9.]+)$/.exec(line) ?? [];
    if (address !== undefined) leaf = address;
    else if (leaf !== undefined && isIPv4(leaf) && /^\s*\/32 host LOCAL$/.test(line)) addresses.add(leaf);
  }
  return [...addresses];
}
