import { readlink } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { HostFiles } from '../host/host-files.ts';
import { type Reading, valueOr } from '../reading.ts';
import type { Gap } from '../source.ts';
import { isLinkLocal, isLoopback } from './address.ts';
import { parseFibTrie, parseIfInet6 } from './local-addresses.ts';
import { defaultRoute, parseIpv4Routes, parseIpv6Routes, type Route } from './routes.ts';

const limits = { tableBytes: 1024 * 1024, interfaces: 4_096 };
/** Interfaces that lead to containers and have no address of their own. */
const toContainer = /^(?:veth|cali|lxc|azv|eni[0-9a-f]{11}$)/;

export interface NetworkInterface {
  readonly name: string;
  readonly hwAddr: string;
  readonly addresses: readonly string[];
}

/** The network of the host, not that of the container that the agent may run in. */
export interface Network {
  readonly interfaces: readonly NetworkInterface[];
  readonly routes: readonly Route[];
  readonly defaultRoute?: Route;
  /** That of the interface with the default route. */
  readonly primaryAddress?: string;
  readonly gaps: readonly Gap[];
}

export async function readNetwork(files: HostFiles): Promise<Network> {
  const gaps: Gap[] = [];
  const isOwn = await isOwnNetwork(files);
  const table = async (name: string): Promise<string> => {
    const reading = await files.text(`/proc/${isOwn ? '' : '1/'}net/${name}`, limits.tableBytes);
    if (reading.is === 'unreadable') gaps.push({ what: `network table ${name}`, reason: reading.reason });
    return valueOr(reading, '');
  };
  const [ipv4, ipv6] = [
    parseIpv4Routes(await table('route')),
    parseIpv6Routes(await table('ipv6_route')),
  ] as const;
  const route = defaultRoute(ipv4) ?? defaultRoute(ipv6);
  const all = isOwn ? ownInterfaces() : await mountedInterfaces(files, table, ipv4, gaps);
  const interfaces = all.filter(
    ({ name, addresses }) => !toContainer.test(name) || !addresses.every(isLinkLocal),
  );
  const primaryAddress = primaryOf(interfaces, route, defaultRoute(ipv4) !== undefined);
  return {
    interfaces,
    routes: [...ipv4, ...ipv6].filter((one) => !toContainer.test(one.interface)),
    ...(route && { defaultRoute: route }),
    ...(primaryAddress !== undefined && { primaryAddress }),
    gaps,
  };
}

/** Whether the agent is in the network namespace of the host's first process. Only root may know in a container. */
async function isOwnNetwork(files: HostFiles): Promise<boolean> {
  const first = await files.target('/proc/1/ns/net');
  const own = await readlink('/proc/self/ns/net').catch(() => undefined);
  if (first.is === 'read' && own !== undefined) return first.value === own;
  return valueOr(await files.place('/'), '/') === '/';
}

function ownInterfaces(): NetworkInterface[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) => {
    const [first] = addresses;
    return first ? [{ name, hwAddr: first.mac, addresses: addresses.map(({ address }) => address) }] : [];
  });
}

async function mountedInterfaces(
  files: HostFiles,
  table: (name: string) => Promise<string>,
  routes: readonly Route[],
  gaps: Gap[],
): Promise<NetworkInterface[]> {
  const ipv6 = parseIfInet6(await table('if_inet6'));
  const ipv4 = parseFibTrie(await table('fib_trie')).map((address) => ({
    name: interfaceOf(address, routes),
    address,
  }));
  const listed: Reading<readonly string[]> = await files.names('/sys/class/net', limits.interfaces);
  if (listed.is === 'unreadable') gaps.push({ what: 'network interfaces', reason: listed.reason });
  if (listed.is === 'absent')
    gaps.push({
      what: 'hardware addresses of network interfaces',
      reason: 'Mount /sys of the host below the host root.',
    });
  const names = new Set([...valueOr(listed, []), ...[...ipv4, ...ipv6].map(({ name }) => name)]);
  const interfaces: NetworkInterface[] = [];
  for (const name of names) {
    const addresses = [...ipv4, ...ipv6].filter((one) => one.name === name).map(({ address }) => address);
    if (name === '' || addresses.length === 0) continue;
    const hwAddr = valueOr(await files.text(`/sys/class/net/${name}/address`, 1_024), '').trim();
    interfaces.push({ name, hwAddr, addresses });
  }
  return interfaces;
}

/** The interface of the smallest network that holds the address; clouds give single addresses to the default one. */
function interfaceOf(address: string, routes: readonly Route[]): string {
  if (isLoopback(address)) return 'lo';
  let best = { length: -1, name: defaultRoute(routes)?.interface ?? '' };
  for (const { destination, gateway, interface: name } of routes) {
    const [network = '', bits = ''] = destination.split('/');
    const length = Number(bits);
    if (gateway !== undefined || !isIPv4(network) || length <= best.length) continue;
    const size = 2 ** (32 - length);
    if (Math.floor(numberOf(address) / size) === Math.floor(numberOf(network) / size))
      best = { length, name };
  }
  return best.name;
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
}

function primaryOf(
  interfaces: readonly NetworkInterface[],
  route: Route | undefined,
  isV4: boolean,
): string | undefined {
  const at = interfaces.find(({ name }) => name === route?.interface)?.addresses ?? [];
  const rest = interfaces.flatMap(({ addresses }) => addresses);
  return (
    at.find((address) => isIPv4(address) === isV4 && !isLinkLocal(address)) ??
    at[0] ??
    rest.find((address) => !isLoopback(address) && !isLinkLocal(address)) ??
    rest[0]
  );
}
