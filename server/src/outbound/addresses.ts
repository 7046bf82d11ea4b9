import { BlockList, isIP } from 'node:net';

/** What is not the public internet, by the registries of IANA for special purposes. */
const special = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Looks public, and is what Azure gives to its machines their settings and certificates by.
  '168.63.129.16/32',
];
/** Parts of the public space of IPv6 that lead elsewhere: Teredo and its like, documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** Where IPv6 writes addresses of IPv4: as they are, and through a translator. */
const embedding = ['::ffff:', '64:ff9b::'];
const public6 = ['2000::/3', ...embedding.map((prefix) => `${prefix}0.0.0.0/96`)];

const refused = new BlockList();
const allowed6 = new BlockList();
const add = (list: BlockList, range: string, family: 'ipv4' | 'ipv6', above = 0) => {
  const [network, bits] = range.split('/') as [string, string];
  list.addSubnet(network, above + Number(bits), family);
};
for (const range of special) {
  add(refused, range, 'ipv4');
  for (const prefix of embedding) add(refused, prefix + range, 'ipv6', 96);
}
for (const range of special6) add(refused, range, 'ipv6');
for (const range of public6) add(allowed6, range, 'ipv6');

/** Whether an address belongs to the public internet: no machine, network or cloud of the operator's own. */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !refused.check(address, 'ipv4');
  return family === 6 && allowed6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
