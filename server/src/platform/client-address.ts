import { BlockList, isIP, isIPv6 } from 'node:net';

/** Range names accepted in an address list. */
const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Returns a predicate that matches the addresses and CIDR ranges of the list. */
export function addressMatcher(list: readonly string[]): (address: string) => boolean {
  const addresses = new BlockList();
  for (const entry of list.flatMap((name) => namedRanges[name] ?? [name])) {
    const [address = '', prefix] = entry.split('/');
    const maxBits = isIPv6(address) ? 128 : 32;
    const bits = prefix === undefined ? maxBits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (!isIP(address) || bits < 0 || bits > maxBits) {
      throw new Error(`'${entry}' is not an address or a CIDR range such as 10.0.0.0/8.`);
    }
    addresses.addSubnet(address, bits, familyOf(address));
  }
  return (address) => {
    const unmapped = withoutMapping(address);
    return isIP(unmapped) !== 0 && addresses.check(unmapped, familyOf(unmapped));
  };
}

/** The unit that per-client limits apply to: an IPv4 address or an IPv6 /64 network. */
export function clientNetwork(address: string): string {
  const unmapped = withoutMapping(address);
  if (!isIPv6(unmapped)) return unmapped;
  const [head = '', tail] = (unmapped.split('%', 1)[0] as string).split('::');
  const groups = head === '' ? [] : head.split(':');
  const rest = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill('0'), ...rest];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Converts an IPv4-mapped IPv6 address, as dual-stack sockets report it, to unmapped IPv4. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
