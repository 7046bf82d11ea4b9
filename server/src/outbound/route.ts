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
  const addresses = isIP(literal) ? [literal] : await resolved(host, resolve);
  if (allowsPrivate || addresses.every(isPublicAddress)) return addresses;
  // Not which one: what names of the operator's own network stand for is not for everybody who may create channels.
  throw new OutboundError(
    `${host} is at no address of the public internet: the operator of the service allows such ones with VEDETTE_ALLOW_PRIVATE_TARGETS.`,
    { isFinal: true },
  );
}

async function resolved(host: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(host).catch((error: NodeJS.ErrnoException) => {
    throw new OutboundError(`${host} has no address (${error.code ?? 'unknown'}).`, { cause: error });
  });
  if (addresses.length === 0) throw new OutboundError(`${host} has no address.`);
  return addresses;
}
