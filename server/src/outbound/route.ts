import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { OutboundError } from './outbound.ts';

/** Gives all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const resolveByDns: Resolve = async (host) => {
  // Many machines have no way out by IPv6, and learn it only after a while.
  const found = await lookup(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
};

export interface RouteRules {
  readonly allowsPrivate: boolean;
  readonly resolve: Resolve;
}

/**
 * The addresses that a host may be reached at. They are looked up once and each of them is checked, so that what is
 * connected to is what was checked, whatever the name means a moment later.
 */
export async function routeTo(
  host: string,
  { allowsPrivate, resolve }: RouteRules,
): Promise<readonly string[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  if (isIP(literal)) {
    if (allowsPrivate || isPublicAddress(literal)) return [literal];
    throw new OutboundError(`${host} is not a public address. ${howToAllow}`, { isFinal: true });
  }
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length > 0 && (allowsPrivate || addresses.every(isPublicAddress))) return addresses;
  // The same in words and in what follows, whether the name is unknown or private: which names the operator's own network
  // has is not for everybody who may create channels.
  const advice = allowsPrivate ? '' : ` ${howToAllow}`;
  throw new OutboundError(
    `${host} has no ${allowsPrivate ? '' : 'public '}address: check the name.${advice}`,
  );
}

const howToAllow = 'Set VEDETTE_ALLOW_PRIVATE_TARGETS=true to allow private targets.';
