import { BlockList, isIP, isIPv6 } from 'node:net';

/** Names of ranges that may stand in a list of addresses. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Tells whether an address is in a list of addresses and CIDR ranges. */
export function addressMatcher(list: readonly string[]): (address: string) => boolean {
  const addresses = new BlockList();
  for (const entry of list.flatMap((name) => namedRanges[name] ?? [name])) {
    const [address = '', prefix] = entry.split('/');
    const longest = isIPv6(address) ? 128 : 32;
    const bits = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (!isIP(address) || bits < 0 || bits > longest) {
      throw new Error(`'${entry}' is not an address or a CIDR range such as 10.0.0.0/8.`);
    }
    addresses.addSubnet(address, bits, familyOf(address));
  }
  return (address) => {
    const plain = withoutMapping(address);
    return isIP(plain) !== 0 && addresses.check(plain, familyOf(plain));
  };
}

/** What limits count as one client: an IPv4 address, or the 64 bits that one IPv6 network has. */
export function clientNetwork(address: string): string {
  const plain = withoutMapping(address);
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = (plain.split('%', 1)[0] as string).split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** An IPv4 client of a socket that listens on IPv6. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
