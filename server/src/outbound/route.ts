import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { OutboundError } from './outbound.ts';

/** Resolves all addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const resolveByDns: Resolve = async (host) => {
  // Many hosts have no IPv6 connectivity and notice only after a timeout.
  const records = await lookup(host, { all: true, order: 'ipv4first' });
  return records.map(({ address }) => address);
};

export interface RouteRules {
  readonly allowsPrivate: boolean;
  readonly resolve: Resolve;
}

/**
 * The allowed addresses of a host. They are resolved once and each is checked, so that the connection goes to a checked
 * address even if the DNS record changes (DNS rebinding).
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
  // The same message for unknown and private names: not every user who can create channels may learn which names exist
  // in the operator's network.
  const advice = allowsPrivate ? '' : ` ${howToAllow}`;
  throw new OutboundError(
    `${host} has no ${allowsPrivate ? '' : 'public '}address: check the name.${advice}`,
  );
}

const howToAllow = 'Set VEDETTE_ALLOW_PRIVATE_TARGETS=true to allow private targets.';
