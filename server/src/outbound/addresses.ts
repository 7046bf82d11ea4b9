import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that are not public, from the IANA special-purpose registry. */
const special = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Looks public, but serves settings and certificates to Azure hosts.
  '168.63.129.16/32',
];
/** Special ranges within the public IPv6 space: Teredo and similar, documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** Prefixes of IPv6 addresses that embed IPv4: mapped and NAT64. */
const embedding = ['::ffff:', '64:ff9b::'];
const public6 = ['2000::/3', ...embedding.map((prefix) => `${prefix}0.0.0.0/96`)];

const refused = new BlockList();
const allowed6 = new BlockList();
const add = (list: BlockList, range: string, family: 'ipv4' | 'ipv6', prefixBits = 0) => {
  const [network, bits] = range.split('/') as [string, string];
  list.addSubnet(network, prefixBits + Number(bits), family);
};
for (const range of special) {
  add(refused, range, 'ipv4');
  for (const prefix of embedding) add(refused, prefix + range, 'ipv6', 96);
}
for (const range of special6) add(refused, range, 'ipv6');
for (const range of public6) add(allowed6, range, 'ipv6');

/** Whether an address is on the public internet and not on the operator's hosts, networks or cloud. */
export function isPublicAddress(address: string): boolean {
  // A zone id names an interface of this host.
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !refused.check(address, 'ipv4');
  return family === 6 && allowed6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
