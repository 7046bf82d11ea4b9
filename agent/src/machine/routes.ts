import { ipv4OfHex, ipv6OfHex } from './address.ts';

/** A route of the kernel to other hosts. */
export interface Route {
  /** `default` or a network such as `10.0.0.0/8`. */
  readonly destination: string;
  /** Directly reachable networks have none. */
  readonly gateway?: string;
  readonly interface: string;
  readonly metric: number;
}

const flags = { up: 0x1, gateway: 0x2, reject: 0x200, anycast: 0x100000, local: 0x80000000 };

/** The routes of `/proc/net/route`. */
export function parseIpv4Routes(text: string): Route[] {
  return text.split('\n').flatMap((line) => {
    const [name, to = '', by = '', flagged = '', , , metric = '', mask = ''] = line.trim().split(/\s+/);
    const [destination, gateway] = [ipv4OfHex(to), ipv4OfHex(by)];
    const length = prefixLength(mask);
    const set = Number.parseInt(flagged, 16);
    if (!name || !destination || !gateway || length === undefined || !/^\d{1,10}$/.test(metric)) return [];
    if (!isUsed(set)) return [];
    return {
      destination: length === 0 ? 'default' : `${destination}/${length}`,
      ...(set & flags.gateway && { gateway }),
      ...{ interface: name, metric: Number(metric) },
    };
  });
}

/** The routes of `/proc/net/ipv6_route`, without those to the host itself and to multicast groups. */
export function parseIpv6Routes(text: string): Route[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [to = '', bits = '', , , by = '', metric = '', , , flagged = '', name] = fields;
    const [destination, gateway] = [ipv6OfHex(to), ipv6OfHex(by)];
    const [length, set] = [Number.parseInt(bits, 16), Number.parseInt(flagged, 16)];
    if (!name || name === 'lo' || !destination || !gateway || !(length <= 128)) return [];
    if (!/^[0-9a-f]{8}$/i.test(metric) || !isUsed(set) || destination.startsWith('ff')) return [];
    return {
      destination: length === 0 ? 'default' : `${destination}/${length}`,
      ...(set & flags.gateway && { gateway }),
      ...{ interface: name, metric: Number.parseInt(metric, 16) },
    };
  });
}

/** The route that is taken for unknown destinations: the default one with the lowest metric. */
export function defaultRoute(routes: readonly Route[]): Route | undefined {
  return routes
    .filter(({ destination }) => destination === 'default')
    .reduce<Route | undefined>((best, one) => (best && best.metric <= one.metric ? best : one), undefined);
}

function isUsed(set: number): boolean {
  return (set & flags.up) !== 0 && (set & (flags.reject | flags.anycast | flags.local)) === 0;
}

/** Undefined unless the mask is ones followed by zeros. */
function prefixLength(hex: string): number | undefined {
  const mask = ipv4OfHex(hex);
  if (mask === undefined) return undefined;
  const bits = mask
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('');
  return /^1*0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : undefined;
}
